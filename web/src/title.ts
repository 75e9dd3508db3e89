// What the browser's tab and history call the page.

import { useEffect } from "preact/hooks";
import { say } from "./i18n";

/** Names the page while the component is there. */
export function useTitle(text: string): void {
  const name = say("app.name");
  useEffect(() => {
    document.title = text ? `${text} – ${name}` : name;
  }, [text, name]);
}
