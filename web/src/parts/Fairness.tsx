import { useEffect, useState } from "preact/hooks";
import { checkRound, type Verdict } from "../fairness/check";
import { wholeStory } from "../game/history";
import type { RoundCommitment } from "../gen/mextrain/v1/fairness_pb";
import { type Game, HandsShown } from "../gen/mextrain/v1/game_pb";
import { say } from "../i18n";
import type { Service } from "../net/client";
import { type Problem, problemOf } from "../net/problem";
import { problemText } from "../words/problems";
import { Icon } from "./Icon";
import { ProblemNote } from "./Problem";

interface Props {
  readonly game: Game;
  readonly service: Service;
  readonly names: readonly string[];
}

/** Checks every deal that can be checked, here and now, and says how it came out. */
export function Fairness({ game, service, names }: Props) {
  const { verdicts, problem } = useVerdicts(game, service);
  if (!("subtle" in crypto)) return <ProblemNote text={say("fair.noCrypto")} />;
  return (
    <div class="fairness">
      <p>{say("fair.text")}</p>
      {game.fixedSeed && <p class="aside">{say("fair.fixed")}</p>}
      {problem && <ProblemNote text={problemText(problem, names, say)} />}
      <ol>
        {game.commitments.map((promised) => (
          <li key={promised.number}>
            <h3>{say("fair.round", { number: promised.number })}</h3>
            <Outcome
              game={game}
              promised={promised}
              verdict={verdicts.get(promised.number)}
              names={names}
            />
            <dl>
              <Bytes label={say("fair.commitment")} bytes={promised.commitment} />
              <Bytes label={say("fair.seed")} bytes={promised.seed} />
              {promised.entropy.map(({ seat, entropy }) => (
                <Bytes
                  key={seat}
                  label={`${say("fair.entropy")}: ${names[seat] ?? ""}`}
                  bytes={entropy}
                />
              ))}
            </dl>
          </li>
        ))}
      </ol>
    </div>
  );
}

function useVerdicts(game: Game, service: Service) {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<number, Verdict>>(new Map());
  const [problem, setProblem] = useState<Problem | null>(null);
  const shown = game.commitments.filter(({ seed }) => seed.length > 0).length;
  useEffect(() => {
    const left = new AbortController();
    async function check() {
      const events = await wholeStory(service, game.gameId, left.signal);
      for (const promised of game.commitments) {
        const verdict = await checkRound(game, promised, events);
        if (left.signal.aborted) return;
        setVerdicts((before) => new Map(before).set(promised.number, verdict));
      }
    }
    if ("subtle" in crypto) {
      check().catch((error: unknown) => !left.signal.aborted && setProblem(problemOf(error)));
    }
    return () => left.abort();
  }, [game.gameId, service, shown]);
  return { verdicts, problem };
}

interface OutcomeProps {
  readonly game: Game;
  readonly promised: RoundCommitment;
  readonly verdict: Verdict | undefined;
  readonly names: readonly string[];
}

function Outcome({ game, promised, verdict, names }: OutcomeProps) {
  if (promised.seed.length === 0) return <p class="aside">{pendingText(game, promised)}</p>;
  if (!verdict) return <p class="aside">{say("fair.checking")}</p>;
  switch (verdict.is) {
    case "sound":
      return (
        <p class="sound">
          <Icon name="check" />
          {say("fair.ok")} {say("fair.okTiles", { n: verdict.followed })}
        </p>
      );
    case "wrong seed":
      return <ProblemNote text={say("fair.badSeed")} />;
    case "wrong tile": {
      const { seat, tile } = verdict.stray;
      const told = { name: names[seat] ?? "", tile: `${tile.high}-${tile.low}` };
      return <ProblemNote text={say("fair.badTiles", told)} />;
    }
    default:
      return <p class="aside">{say("fair.pending")}</p>;
  }
}

function pendingText({ results, view, policy }: Game, { number }: RoundCommitment): string {
  if (number > (view?.round?.number ?? 0) && number > results.length) return say("fair.next");
  const late = policy?.handsShown === HandsShown.AFTER_GAME;
  return say(late ? "fair.pendingGame" : "fair.pending");
}

function Bytes({ label, bytes }: { readonly label: string; readonly bytes: Uint8Array }) {
  if (bytes.length === 0) return null;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{text}</code>
      </dd>
    </div>
  );
}
