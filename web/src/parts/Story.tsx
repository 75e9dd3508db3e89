import { useEffect, useRef } from "preact/hooks";
import type { Event } from "../gen/mextrain/v1/event_pb";
import { language, say } from "../i18n";
import { sentence } from "../words/story";

interface Props {
  readonly story: readonly Event[];
  readonly names: readonly string[];
  readonly seat: number | undefined;
  /** Not read out as it comes. */
  readonly quiet?: boolean;
}

/** What happened, latest at the bottom; read out as it comes. */
export function Story({ story, names, seat, quiet = false }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const telling = { names, t: say, language: language.value, me: seat };
  const sentences = story.flatMap((event) => {
    const text = sentence(event, telling);
    return text ? [{ text, kind: event.fact.case ?? "" }] : [];
  });
  const count = sentences.length;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  return (
    <section class="card story" aria-labelledby="story-title">
      <h2 id="story-title">{say("story.title")}</h2>
      {count === 0 && <p class="aside">{say("story.empty")}</p>}
      <div
        class="scroll"
        ref={list}
        role="log"
        aria-live={quiet ? "off" : "polite"}
        aria-labelledby="story-title"
        tabIndex={0}
      >
        <ol>
          {sentences.map(({ text, kind }, index) => (
            <li key={index} class={`told-${kind}`}>
              {text}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
