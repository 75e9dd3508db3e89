import { useRef, useState } from "preact/hooks";
import type { Game } from "../gen/mextrain/v1/game_pb";
import { say } from "../i18n";
import { type Link, linksOf } from "../keeping";
import { Field } from "./Field";
import { Icon } from "./Icon";

interface Props {
  readonly game: Game;
  readonly names: readonly string[];
}

/** The links that the one who opened the table may hand out. */
export function Share({ game, names }: Props) {
  const links = linksOf(game.gameId);
  const open = game.seats.some(({ holder }) => holder.case === "open");
  if (links.length === 0) {
    return <p class="aside">{say(open ? "share.elsewhere" : "share.none")}</p>;
  }
  return (
    <div class="share">
      <p class="aside">{say("share.text")}</p>
      <ul>
        {links.map((link) => (
          <li key={String(link.role)}>
            <LinkRow link={link} game={game} names={names} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RowProps extends Props {
  readonly link: Link;
}

function LinkRow({ link: { role, url }, game, names }: RowProps) {
  const seat = typeof role === "number" ? game.seats[role] : undefined;
  const taken = seat !== undefined && seat.holder.case !== "open";
  const label =
    typeof role === "number" ? say("share.seat", { number: role + 1 }) : say("share.watch");
  if (taken) {
    return (
      <p class="taken">
        <Icon name="check" />
        {say("create.seat", { number: Number(role) + 1 })}:{" "}
        {say("share.taken", { name: names[Number(role)] ?? "" })}
      </p>
    );
  }
  return <Handed label={label} url={url} />;
}

/** A link to be copied, or sent by what a phone sends links with. */
function Handed({ label, url }: { readonly label: string; readonly url: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  async function copy() {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ url, title: say("app.name") }).catch(() => undefined);
      return;
    }
    // Pages that came neither over https nor from this machine have no clipboard: then it is marked.
    if (!("clipboard" in navigator)) return field.current?.focus();
    await navigator.clipboard.writeText(url);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }
  return (
    <>
      <Field label={label}>
        {(attributes) => (
          <input
            {...attributes}
            ref={field}
            type="text"
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <button
        type="button"
        class="quiet"
        aria-label={`${say("app.copy")}: ${label}`}
        onClick={copy}
      >
        <Icon name={copied ? "check" : "link"} />
        <span aria-live="polite">{say(copied ? "app.copied" : "app.copy")}</span>
      </button>
    </>
  );
}
