import { create } from "@bufbuild/protobuf";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "../board/Board";
import { Hand } from "../board/Hand";
import { wholeStory } from "../game/history";
import { recentlyLaid } from "../game/recent";
import type { Event } from "../gen/mextrain/v1/event_pb";
import type { Game } from "../gen/mextrain/v1/game_pb";
import { type Tile, TileSchema } from "../gen/mextrain/v1/tile_pb";
import { say } from "../i18n";
import { marks } from "../marks";
import { type Service, serviceFor } from "../net/client";
import { type Problem, problemOf } from "../net/problem";
import { Field } from "../parts/Field";
import { Player } from "../parts/Player";
import { Players } from "../parts/Players";
import { ProblemNote } from "../parts/Problem";
import { Story } from "../parts/Story";
import { type Frame, framesOf, gameAt, handAt } from "../replay/frames";
import { pathOf, type Role } from "../routes";
import { useTitle } from "../title";
import { namesOf } from "../words/names";
import { problemText } from "../words/problems";

interface Props {
  readonly gameId: string;
  readonly role: Role;
  readonly token: string;
}

const STORY_SHOWN = 200;

/** Goes through all that happened in a game, move by move. */
export function Replay({ gameId, role, token }: Props) {
  const service = useMemo(() => serviceFor(token), [token]);
  const { game, frames, problem, fail } = useFrames(service, gameId);
  const [at, setAt] = useState(0);
  const [whose, setWhose] = useState(typeof role === "number" ? role : -1);
  useTitle(say("replay.title"));
  // Who sat down when is not worth a frame; the first deal is.
  useEffect(
    () =>
      setAt(
        Math.max(
          0,
          frames.findIndex(({ view }) => view.round),
        ),
      ),
    [frames],
  );
  const hand = useHand(game, frames, at, whose);
  if (problem) return <ProblemNote text={problemText(problem, [], say)} />;
  if (!game) return <p class="notice">{say("app.loading")}</p>;
  const frame = frames[at];
  const mine = typeof role === "number" ? role : undefined;
  const back = (
    <a class="button" href={pathOf(gameId, role)}>
      {say("replay.backToTable")}
    </a>
  );
  if (!frame) {
    return (
      <section class="card notice">
        <h1>{say("replay.title")}</h1>
        <p>{say("replay.nothing")}</p>
        {back}
      </section>
    );
  }
  const names = namesOf(game, say);
  const story = frames.slice(0, at + 1).flatMap(({ events }) => events);
  const shown = gameAt(game, frame, hand, whose < 0 ? undefined : whose);
  const given = { ...STILL, game: shown, names, marks: marks.value };
  return (
    <div class="table">
      <header class="turn">
        <h1 class="turn-text">{say("replay.title")}</h1>
        {frame.view.round && (
          <p class="turn-round">
            {say("table.round", {
              number: frame.view.round.number,
              total: frame.view.totalRounds,
            })}
          </p>
        )}
      </header>
      <div class="table-main">
        {frame.view.round?.trains.length ? (
          <div class="felt">
            <Board {...given} recent={recentlyLaid(frame.events, undefined)} onDraw={nothing} />
          </div>
        ) : null}
        <Player frames={frames} at={at} onMove={setAt} />
        {hand.length > 0 && (
          <div class="rack still">
            <Hand {...given} unplayable={[]} />
          </div>
        )}
      </div>
      <aside class="table-side">
        <section class="card" aria-labelledby="score-title">
          <h2 id="score-title">{say("score.title")}</h2>
          <Players game={shown} names={names} seat={undefined} />
          <Field label={say("replay.hands")}>
            {(attributes) => (
              <select
                {...attributes}
                value={String(whose)}
                onChange={(event) => setWhose(Number(event.currentTarget.value))}
              >
                <option value="-1">{say("replay.noHand")}</option>
                {names.map((name, seat) => (
                  <option key={name} value={String(seat)}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </section>
        <Story story={story.slice(-STORY_SHOWN)} names={names} seat={mine} quiet />
        <section class="card menu">
          {back}
          <button type="button" onClick={() => void saveRecord(service, gameId).catch(fail)}>
            {say("replay.export")}
          </button>
        </section>
      </aside>
    </div>
  );
}

const nothing = () => undefined;

/** What a table is given on which nobody can do anything. */
const STILL = {
  moves: [],
  selection: null,
  busy: false,
  suggestion: null,
  t: say,
  onSelect: nothing,
  onPlay: nothing,
  onRefused: nothing,
};

function useFrames(service: Service, gameId: string) {
  const [game, setGame] = useState<Game | undefined>();
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    const left = new AbortController();
    async function read() {
      const told = await wholeStory(service, gameId, left.signal);
      const answer = await service.getGame({ gameId }, { signal: left.signal });
      setEvents(told);
      setGame(answer.game);
    }
    read().catch((error: unknown) => !left.signal.aborted && fail(error));
    return () => left.abort();
  }, [service, gameId]);
  const fail = (error: unknown) => setProblem(problemOf(error));
  const frames = useMemo(() => (game ? framesOf(game, events) : []), [game, events]);
  return { game, frames, problem, fail };
}

/** The hand of a seat at a frame, as soon as it is worked out. */
function useHand(game: Game | undefined, frames: readonly Frame[], at: number, seat: number) {
  const [hand, setHand] = useState<readonly Tile[]>([]);
  useEffect(() => {
    let current = true;
    const known = game && seat >= 0 && "subtle" in crypto;
    const asked = known ? handAt(game, frames, at, seat) : Promise.resolve([]);
    void asked.then((tiles) => {
      if (current) setHand(tiles.map((tile) => create(TileSchema, tile)));
    });
    return () => {
      current = false;
    };
  }, [game, frames, at, seat]);
  return hand;
}

/** Hands the record of a game to the browser, as a file. */
async function saveRecord(service: Service, gameId: string): Promise<void> {
  const { record } = await service.exportGame({ gameId });
  const url = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), {
    href: url,
    download: `${gameId}.mextrain`,
  });
  link.click();
  URL.revokeObjectURL(url);
}
