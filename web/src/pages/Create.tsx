import { useEffect, useState } from "preact/hooks";
import { createTable, type Plan } from "../game/creating";
import type { Preset } from "../gen/mextrain/v1/rule_set_pb";
import { say } from "../i18n";
import { heldSeats, platformKey } from "../keeping";
import { go } from "../navigation";
import { serviceFor } from "../net/client";
import { type Problem, problemOf } from "../net/problem";
import { Dialog } from "../parts/Dialog";
import { Field } from "../parts/Field";
import { HeldGames } from "../parts/HeldGames";
import { Icon } from "../parts/Icon";
import { Options } from "../parts/Options";
import { ProblemNote } from "../parts/Problem";
import { Rules } from "../parts/Rules";
import { Seats } from "../parts/Seats";
import { pathOf } from "../routes";
import { useTitle } from "../title";
import { problemText } from "../words/problems";
import { firstPlan, storeName, storePlan, withPlayers } from "./plan";

/** Sets up a table, and leads back to those that this browser sits at. */
export function Create() {
  const [plan, setPlan] = useState<Plan>(firstPlan);
  const [key, setKey] = useState(platformKey.get());
  const [asked] = useState(platformKey.get() === "");
  const [busy, setBusy] = useState(false);
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const presets = usePresets(setProblem);
  useTitle("");
  const preset = presets.find(({ name }) => name === plan.preset);

  async function start(event: Event) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    platformKey.set(key.trim());
    const me = plan.chairs.find(({ sitter }) => sitter === "me");
    if (me) storeName(me.name.trim());
    storePlan(plan);
    const created = await createTable(key.trim(), plan);
    setBusy(false);
    if ("problem" in created) setProblem(created.problem);
    else go(pathOf(created.gameId, created.role));
  }

  return (
    <div class="create">
      <section class="hero">
        <h1>{say("app.tagline")}</h1>
        <p>{say("create.intro")}</p>
      </section>
      <form class="card form" aria-label={say("create.title")} onSubmit={start}>
        <h2>{say("create.title")}</h2>
        {asked && <KeyField value={key} onInput={setKey} />}
        <PresetField plan={plan} presets={presets} preset={preset} onChange={setPlan} />
        <Seats
          chairs={plan.chairs}
          least={preset?.rules?.minPlayers ?? 2}
          most={preset?.rules?.maxPlayers ?? 8}
          onChange={(chairs) => setPlan({ ...plan, chairs })}
        />
        <Options plan={plan} preset={preset} onChange={setPlan} />
        {problem && <ProblemNote text={problemText(problem, [], say)} />}
        <div class="form-end">
          <button type="submit" class="primary large" disabled={busy}>
            {busy
              ? say("create.starting")
              : say(startsAtOnce(plan) ? "create.start" : "create.open")}
          </button>
          <button type="button" class="quiet" onClick={() => setReading(true)}>
            <Icon name="book" />
            {say("create.readRules")}
          </button>
        </div>
      </form>
      {heldSeats().length > 0 && <HeldGames />}
      <footer class="foot">
        <a href="/docs/">{say("app.api")}</a>
      </footer>
      {reading && (
        <Dialog title={say("table.rules")} wide onClose={() => setReading(false)}>
          <Rules preset={plan.preset} overrides={plan.overrides} players={plan.chairs.length} />
        </Dialog>
      )}
    </div>
  );
}

function startsAtOnce(plan: Plan): boolean {
  return plan.chairs.every(({ sitter }) => sitter !== "friend");
}

function usePresets(onProblem: (problem: Problem) => void): readonly Preset[] {
  const [presets, setPresets] = useState<readonly Preset[]>([]);
  useEffect(() => {
    serviceFor()
      .listPresets({})
      .then(
        (answer) => setPresets(answer.presets),
        (error: unknown) => onProblem(problemOf(error)),
      );
  }, []);
  return presets;
}

interface KeyProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function KeyField({ value, onInput }: KeyProps) {
  return (
    <Field label={say("create.key")} aside={say("create.keyHelp")}>
      {(attributes) => (
        <input
          {...attributes}
          type="password"
          name="key"
          required
          autoComplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface PresetProps {
  readonly plan: Plan;
  readonly presets: readonly Preset[];
  readonly preset: Preset | undefined;
  readonly onChange: (plan: Plan) => void;
}

function PresetField({ plan, presets, preset, onChange }: PresetProps) {
  function choose(name: string) {
    const rules = presets.find((each) => each.name === name)?.rules;
    const [least, most] = [rules?.minPlayers ?? 2, rules?.maxPlayers ?? 14];
    const players = Math.min(Math.max(plan.chairs.length, least), most);
    onChange({ ...plan, preset: name, chairs: withPlayers(plan.chairs, players) });
  }
  return (
    <Field label={say("create.rules")} aside={<span lang="en">{preset?.summary ?? " "}</span>}>
      {(attributes) => (
        <select
          {...attributes}
          name="preset"
          value={plan.preset}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {(presets.length > 0 ? presets : [{ name: plan.preset }]).map(({ name }) => (
            <option key={name} value={name}>
              {titleOf(name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** `masters_match13` as a title: `Masters match 13`. */
function titleOf(name: string): string {
  const words = name.replaceAll("_", " ").replace(/(\D)(\d)/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
