import { useEffect, useRef } from "preact/hooks";
import { say } from "../i18n";
import { followed, route } from "../navigation";
import { Lost } from "../parts/Lost";
import { Settings } from "../parts/Settings";
import { Unbroken } from "../parts/Unbroken";
import { Create } from "./Create";
import { GamePage } from "./GamePage";

/** The frame of every page: where one is, and how it looks and speaks. */
export function App() {
  const main = useRef<HTMLElement>(null);
  const { value: at } = route;
  const place = JSON.stringify(at);
  useArrival(main, place);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: links within
    <div class="app" onClick={followed}>
      <a class="skip" href="#main">
        {say("app.skip")}
      </a>
      <header class="top">
        <a class="brand" href="/">
          <Mark />
          <span>{say("app.name")}</span>
        </a>
        <Settings />
      </header>
      <main id="main" ref={main} tabIndex={-1} data-page={at.page}>
        <Unbroken key={place}>
          {at.page === "home" && <Create />}
          {at.page === "game" && <GamePage at={at} />}
          {at.page === "unknown" && <Lost text={say("app.notFound")} />}
        </Unbroken>
      </main>
    </div>
  );
}

/** Puts the focus at the beginning of a page that was gone to, but not of the first one. */
function useArrival(main: { readonly current: HTMLElement | null }, place: string): void {
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [place]);
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 44 24" aria-hidden="true">
      <rect x="1" y="1" width="42" height="22" rx="5" class="mark-tile" />
      <path d="M22 4v16" class="mark-line" />
      <circle cx="7" cy="7" r="2.1" />
      <circle cx="11.5" cy="12" r="2.1" />
      <circle cx="16" cy="17" r="2.1" />
      <circle cx="28" cy="7" r="2.1" />
      <circle cx="37" cy="7" r="2.1" />
      <circle cx="28" cy="17" r="2.1" />
      <circle cx="37" cy="17" r="2.1" />
    </svg>
  );
}
