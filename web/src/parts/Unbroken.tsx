import { Component, type ComponentChildren } from "preact";
import { say } from "../i18n";
import { ProblemNote } from "./Problem";

interface Props {
  readonly children: ComponentChildren;
}

/** Shows what is in it; if that breaks, a way on instead of an empty page. */
export class Unbroken extends Component<Props, { readonly broken: boolean }> {
  override state = { broken: false };

  static override getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <section class="notice">
        <ProblemNote text={say("app.broken")} />
        <p>
          <button type="button" onClick={() => location.reload()}>
            {say("app.again")}
          </button>
        </p>
      </section>
    );
  }
}
