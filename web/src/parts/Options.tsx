import type { Plan } from "../game/creating";
import { DrawCount, FirstTurnMode, LastTileCall, Rounds } from "../gen/mextrain/v1/rule_options_pb";
import type { Preset, RuleSet } from "../gen/mextrain/v1/rule_set_pb";
import { say } from "../i18n";
import { withOverride } from "../pages/plan";
import { Field } from "./Field";

interface Props {
  readonly plan: Plan;
  readonly preset: Preset | undefined;
  readonly onChange: (plan: Plan) => void;
}

const ROUNDS = [1, 2, 3, 5, 7, 10, 13];
const CLOCKS = [0, 20, 30, 60, 120, 300, 86_400, 259_200];
const DOUBLE_BLANKS = [0, 25, 50];

/** How the table is run, and the few house rules that people ask for; all others are the preset's. */
export function Options({ plan, onChange }: Props) {
  const set = (change: Partial<Plan>) => onChange({ ...plan, ...change });
  const rule = (change: Partial<RuleSet>) => onChange(withOverride(plan, change));
  const { overrides } = plan;
  return (
    <details class="options">
      <summary>{say("create.options")}</summary>
      <div class="grid">
        <Choice
          label={say("create.rounds")}
          value={overrides.roundCount ?? 0}
          choices={[[0, say("create.asPreset")], ...ROUNDS.map((n) => [n, String(n)] as const)]}
          onChoose={(n) => onChange({ ...plan, overrides: withRounds(overrides, n) })}
        />
        <Choice
          label={say("create.clock")}
          value={plan.turnSeconds}
          choices={CLOCKS.map((seconds) => [seconds, clockText(seconds)])}
          onChoose={(turnSeconds) => set({ turnSeconds })}
        />
      </div>
      <div class="checks">
        <Check
          label={say("create.deals")}
          on={plan.automaticDeals}
          onToggle={(automaticDeals) => set({ automaticDeals })}
        />
        <Check
          label={say("create.forced")}
          on={plan.forcedMoves}
          onToggle={(forcedMoves) => set({ forcedMoves })}
        />
        <Check
          label={say("create.announce")}
          on={plan.announce}
          onToggle={(announce) => set({ announce })}
        />
        <Check
          label={say("create.spectators")}
          on={plan.spectators}
          onToggle={(spectators) => set({ spectators })}
        />
      </div>
      <h3>{say("create.house")}</h3>
      <div class="grid">
        <Choice
          label={say("create.option.opening")}
          value={overrides.firstTurnMode}
          choices={[
            [FirstTurnMode.UNSPECIFIED, say("create.asPreset")],
            [FirstTurnMode.MULTI_TILE, say("create.option.opening.multi")],
            [FirstTurnMode.SINGLE_TILE, say("create.option.opening.single")],
          ]}
          onChoose={(firstTurnMode) => rule({ firstTurnMode })}
        />
        <Choice
          label={say("create.option.draw")}
          value={overrides.drawCount}
          choices={[
            [DrawCount.UNSPECIFIED, say("create.asPreset")],
            [DrawCount.ONE, say("create.option.draw.one")],
            [DrawCount.UNTIL_PLAYABLE, say("create.option.draw.until")],
          ]}
          onChoose={(drawCount) => rule({ drawCount })}
        />
        <Choice
          label={say("create.option.lastTile")}
          value={overrides.lastTileCall}
          choices={[
            [LastTileCall.UNSPECIFIED, say("create.asPreset")],
            [LastTileCall.OFF, say("create.option.lastTile.off")],
            [LastTileCall.COURTESY, say("create.option.lastTile.courtesy")],
            [LastTileCall.REQUIRED, say("create.option.lastTile.required")],
          ]}
          onChoose={(lastTileCall) => rule({ lastTileCall })}
        />
        <Choice
          label={say("create.option.doubleBlank")}
          value={overrides.doubleBlankValue ?? -1}
          choices={[
            [-1, say("create.asPreset")],
            ...DOUBLE_BLANKS.map((n) => [n, String(n)] as const),
          ]}
          onChoose={(n) => onChange({ ...plan, overrides: withDoubleBlank(overrides, n) })}
        />
      </div>
    </details>
  );
}

function withRounds({ roundCount: _, ...others }: RuleSet, n: number): RuleSet {
  if (n === 0) return { ...others, rounds: Rounds.UNSPECIFIED };
  return { ...others, rounds: Rounds.FIXED, roundCount: n };
}

function withDoubleBlank({ doubleBlankValue: _, ...others }: RuleSet, n: number): RuleSet {
  return n < 0 ? others : { ...others, doubleBlankValue: n };
}

function clockText(seconds: number): string {
  if (seconds === 0) return say("create.clock.none");
  if (seconds < 60) return say("create.clock.seconds", { n: seconds });
  if (seconds < 86_400) return say("create.clock.minutes", { n: seconds / 60 });
  return say("create.clock.days", { n: seconds / 86_400 });
}

interface ChoiceProps<T extends number> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [T, string])[];
  readonly onChoose: (value: T) => void;
}

function Choice<T extends number>({ label, value, choices, onChoose }: ChoiceProps<T>) {
  return (
    <Field label={label}>
      {(attributes) => (
        <select
          {...attributes}
          value={String(value)}
          onChange={(event) => onChoose(Number(event.currentTarget.value) as T)}
        >
          {choices.map(([each, text]) => (
            <option key={each} value={String(each)}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  readonly label: string;
  readonly on: boolean;
  readonly onToggle: (on: boolean) => void;
}

function Check({ label, on, onToggle }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
