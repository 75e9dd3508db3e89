import { useState } from "preact/hooks";
import { language, say } from "../i18n";
import { type Held, heldSeats, letGo } from "../keeping";
import { pathOf } from "../routes";
import { Icon } from "./Icon";

const SHOWN = 6;

/** The tables that this browser has a seat at. */
export function HeldGames() {
  const [games, setGames] = useState<readonly Held[]>(heldSeats());
  const when = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" });
  function forget({ gameId, role }: Held) {
    letGo(gameId, role);
    setGames(heldSeats());
  }
  if (games.length === 0) return null;
  return (
    <section class="card held" aria-labelledby="held-title">
      <h2 id="held-title">{say("create.yourGames")}</h2>
      <ul>
        {games.slice(0, SHOWN).map((held) => (
          <li key={`${held.gameId}/${held.role}`}>
            <a href={pathOf(held.gameId, held.role)}>
              <strong>{held.title || held.gameId.slice(0, 8)}</strong>
              <span class="aside">
                {typeof held.role === "number"
                  ? say("create.seat", { number: held.role + 1 })
                  : say("create.watching")}
                {" · "}
                {when.format(held.openedAt)}
              </span>
            </a>
            <button
              type="button"
              class="icon-button"
              aria-label={say("create.forget")}
              title={say("create.forget")}
              onClick={() => forget(held)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
