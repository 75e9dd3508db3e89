import { say } from "../i18n";
import { useTitle } from "../title";

/** A page that cannot be: why, and the way back to the beginning. */
export function Lost({ text }: { readonly text: string }) {
  useTitle(say("join.lost"));
  return (
    <section class="card notice">
      <h1>{say("join.lost")}</h1>
      <p role="alert">{text}</p>
      <p>
        <a class="button" href="/">
          {say("table.new")}
        </a>
      </p>
    </section>
  );
}
