import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { say } from "../i18n";
import { Icon } from "./Icon";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}

/** A window over the page: the browser keeps the focus in it, and gives it back. */
export function Dialog({ title, onClose, children, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser does by itself
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" class="icon-button" aria-label={say("app.close")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
