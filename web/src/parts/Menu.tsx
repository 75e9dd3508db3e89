import { create } from "@bufbuild/protobuf";
import { useState } from "preact/hooks";
import { resign, standIn } from "../game/acting";
import type { Table } from "../game/table";
import { BotLevel, type Game } from "../gen/mextrain/v1/game_pb";
import { RuleSetSchema } from "../gen/mextrain/v1/rule_set_pb";
import { Phase } from "../gen/mextrain/v1/view_pb";
import { say } from "../i18n";
import { marks, setMarks } from "../marks";
import type { Problem } from "../net/problem";
import { pathOf } from "../routes";
import { setShortcuts, shortcuts } from "../shortcuts";
import { Dialog } from "./Dialog";
import { Fairness } from "./Fairness";
import { Rules } from "./Rules";
import { Share } from "./Share";

interface Props {
  readonly table: Table;
  readonly names: readonly string[];
  /** Says why something did not work. */
  readonly onProblem: (problem: Problem | undefined) => void;
}

type Window = "share" | "rules" | "fairness" | "keys" | "resign";

/** What else there is to do at a table. */
export function Menu({ table, names, onProblem }: Props) {
  const [open, setOpen] = useState<Window | null>(null);
  const game = table.game.value;
  if (!game?.view) return null;
  const close = () => setOpen(null);
  const me = table.seat === undefined ? undefined : game.seats[table.seat];
  const playing = me !== undefined && !me.resigned && game.view.phase !== Phase.FINISHED;
  const away = me !== undefined && me.standIn !== BotLevel.UNSPECIFIED;
  return (
    <section class="card menu" aria-labelledby="menu-title">
      <h2 id="menu-title">{say("table.menu")}</h2>
      <button type="button" onClick={() => setOpen("share")}>
        {say("table.invite")}
      </button>
      <button type="button" onClick={() => setOpen("rules")}>
        {say("table.rules")}
      </button>
      <button type="button" onClick={() => setOpen("fairness")}>
        {say("table.fairness")}
      </button>
      <a class="button" href={pathOf(game.gameId, table.role, true)}>
        {say("table.replay")}
      </a>
      <button
        type="button"
        aria-pressed={marks.value === "numerals"}
        onClick={() => setMarks(marks.value === "numerals" ? "pips" : "numerals")}
      >
        {say("board.numerals")}
      </button>
      {playing && (
        <>
          <button
            type="button"
            onClick={() => void standIn(table, away ? "holder" : BotLevel.GREEDY).then(onProblem)}
          >
            {say(away ? "table.comeBack" : "table.standIn")}
          </button>
          <button type="button" onClick={() => setOpen("keys")}>
            {say("table.shortcuts")}
          </button>
          <button type="button" class="danger" onClick={() => setOpen("resign")}>
            {say("table.resign")}
          </button>
        </>
      )}
      {open && <OpenWindow {...{ table, names, onProblem, game }} which={open} onClose={close} />}
    </section>
  );
}

interface WindowProps extends Props {
  readonly game: Game;
  readonly which: Window;
  readonly onClose: () => void;
}

function OpenWindow({ table, game, names, onProblem, which, onClose }: WindowProps) {
  switch (which) {
    case "share":
      return (
        <Dialog title={say("share.title")} onClose={onClose}>
          <Share game={game} names={names} />
        </Dialog>
      );
    case "rules":
      return (
        <Dialog title={say("table.rules")} wide onClose={onClose}>
          <Rules preset="" overrides={game.rules ?? NO_RULES} players={game.seats.length} />
        </Dialog>
      );
    case "fairness":
      return (
        <Dialog title={say("fair.title")} wide onClose={onClose}>
          <Fairness game={game} service={table.service} names={names} />
        </Dialog>
      );
    case "keys":
      return (
        <Dialog title={say("table.shortcuts")} onClose={onClose}>
          <Keys />
        </Dialog>
      );
    case "resign":
      return <Resigning {...{ table, onProblem, onClose }} />;
  }
}

const NO_RULES = create(RuleSetSchema);

type ResigningProps = Pick<WindowProps, "table" | "onProblem" | "onClose">;

function Resigning({ table, onProblem, onClose }: ResigningProps) {
  function leave() {
    onClose();
    void resign(table).then(onProblem);
  }
  return (
    <Dialog title={say("table.resign")} onClose={onClose}>
      <p>{say("table.resignSure")}</p>
      <div class="form-end">
        <button type="button" class="danger" onClick={leave}>
          {say("table.resign")}
        </button>
        <button type="button" onClick={onClose}>
          {say("app.cancel")}
        </button>
      </div>
    </Dialog>
  );
}

function Keys() {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={shortcuts.value}
          onChange={(event) => setShortcuts(event.currentTarget.checked)}
        />
        <span>{say("table.shortcutsOn")}</span>
      </label>
      <ul class="plain">
        <li>{say("keys.draw")}</li>
        <li>{say("keys.pass")}</li>
        <li>{say("keys.call")}</li>
        <li>{say("keys.hint")}</li>
      </ul>
    </>
  );
}
