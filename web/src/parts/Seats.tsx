import type { Chair, Sitter } from "../game/creating";
import { BotLevel } from "../gen/mextrain/v1/game_pb";
import { say } from "../i18n";
import { SITTERS, withPlayers, withSitter } from "../pages/plan";
import { Icon } from "./Icon";

interface Props {
  readonly chairs: readonly Chair[];
  readonly least: number;
  readonly most: number;
  readonly onChange: (chairs: readonly Chair[]) => void;
}

/** Who plays: as many seats as there are players, and who sits on each. */
export function Seats({ chairs, least, most, onChange }: Props) {
  const players = chairs.length;
  const resize = (n: number) => onChange(withPlayers(chairs, n));
  return (
    <fieldset class="seats">
      <legend class="unseen">{say("create.seats")}</legend>
      <div class="seats-head">
        <span class="label" aria-hidden="true">
          {say("create.seats")}
        </span>
        <div class="stepper">
          <button
            type="button"
            class="icon-button"
            aria-label={say("create.fewer")}
            disabled={players <= least}
            onClick={() => resize(players - 1)}
          >
            <Icon name="minus" />
          </button>
          <output aria-live="polite">{say("create.players", { n: players })}</output>
          <button
            type="button"
            class="icon-button"
            aria-label={say("create.more")}
            disabled={players >= most}
            onClick={() => resize(players + 1)}
          >
            <Icon name="plus" />
          </button>
        </div>
      </div>
      <ol>
        {chairs.map((chair, index) => (
          <li key={index}>
            <ChairFields
              chair={chair}
              index={index}
              onName={(name) => onChange(chairs.with(index, { ...chair, name }))}
              onSitter={(sitter) => onChange(withSitter(chairs, index, sitter))}
            />
          </li>
        ))}
      </ol>
    </fieldset>
  );
}

interface ChairProps {
  readonly chair: Chair;
  readonly index: number;
  readonly onName: (name: string) => void;
  readonly onSitter: (sitter: Sitter) => void;
}

function ChairFields({ chair, index, onName, onSitter }: ChairProps) {
  return (
    <>
      <span class={`seat-dot seat-${index}`} aria-hidden="true">
        {index + 1}
      </span>
      <select
        aria-label={say("create.sitter", { number: index + 1 })}
        value={String(SITTERS.indexOf(chair.sitter))}
        onChange={(event) => onSitter(SITTERS[Number(event.currentTarget.value)] ?? "me")}
      >
        {SITTERS.map((sitter, at) => (
          <option key={String(sitter)} value={String(at)}>
            {sitterText(sitter)}
          </option>
        ))}
      </select>
      <input
        type="text"
        aria-label={say("create.nameOf", { number: index + 1 })}
        placeholder={placeholder(chair.sitter)}
        maxLength={64}
        disabled={chair.sitter === "friend"}
        value={chair.name}
        onInput={(event) => onName(event.currentTarget.value)}
      />
    </>
  );
}

function placeholder(sitter: Sitter): string {
  if (sitter === "friend") return say("create.friend");
  return say(sitter === "me" ? "create.you" : "create.name");
}

function sitterText(sitter: Sitter): string {
  switch (sitter) {
    case "me":
      return say("create.me");
    case "friend":
      return say("create.friend");
    case BotLevel.RANDOM:
      return say("create.bot.random");
    case BotLevel.GREEDY:
      return say("create.bot.greedy");
    case BotLevel.PLANNER:
      return say("create.bot.planner");
  }
}
