import { useState } from "preact/hooks";
import { takeSeat } from "../game/creating";
import { say } from "../i18n";
import type { Problem } from "../net/problem";
import { Field } from "../parts/Field";
import { ProblemNote } from "../parts/Problem";
import { useTitle } from "../title";
import { problemText } from "../words/problems";
import { storedName, storeName } from "./plan";

interface Props {
  readonly gameId: string;
  readonly seat: number;
  readonly invitation: string;
  readonly onTaken: () => void;
}

/** Takes the seat of an invitation, under a name. */
export function Join({ gameId, seat, invitation, onTaken }: Props) {
  const [name, setName] = useState(storedName());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  useTitle(say("join.title"));
  async function take(event: Event) {
    event.preventDefault();
    setBusy(true);
    storeName(name.trim());
    const failed = await takeSeat(gameId, seat, invitation, name.trim());
    setBusy(false);
    setProblem(failed);
    if (!failed) onTaken();
  }
  return (
    <form class="card form join" onSubmit={take}>
      <h1>{say("join.title")}</h1>
      <p>{say("join.text", { number: seat + 1 })}</p>
      <Field label={say("join.name")}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            name="name"
            required
            maxLength={64}
            autoComplete="nickname"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <ProblemNote text={problemText(problem, [], say)} />}
      <div class="form-end">
        <button type="submit" class="primary large" disabled={busy}>
          {say("join.take")}
        </button>
      </div>
    </form>
  );
}
