import { useEffect, useMemo } from "preact/hooks";
import { allows, tileText, trainOf } from "../game/moves";
import type { Table } from "../game/table";
import { LastTileCall } from "../gen/mextrain/v1/rule_options_pb";
import { say } from "../i18n";
import type { Hands } from "../pages/hands";
import { shortcuts } from "../shortcuts";
import { namesOf, trainName } from "../words/names";
import { Icon } from "./Icon";

interface Props {
  readonly table: Table;
  readonly hands: Hands;
}

/** The moves that are not tiles, and the hint; each has a key. */
export function Actions({ table, hands }: Props) {
  const { moves } = table.legal.value;
  const busy = table.busy.value;
  const mine = moves.length > 0;
  const [mayDraw, mayPass, mayCall] = [
    allows(moves, "drawTile"),
    allows(moves, "passTurn"),
    allows(moves, "callLastTile"),
  ];
  const opening = table.view.value?.round?.firstTurn && (table.view.value.round.laid ?? 0) > 0;
  useKeys({ d: hands.draw, p: hands.pass, c: hands.call, h: () => mine && void hands.hint() });
  return (
    <div class="actions" role="group" aria-label={say("table.actions")}>
      <button type="button" disabled={!mayDraw || busy} onClick={hands.draw} aria-keyshortcuts="d">
        {say("table.draw")}
      </button>
      <button type="button" disabled={!mayPass || busy} onClick={hands.pass} aria-keyshortcuts="p">
        {say(opening ? "table.done" : "table.pass")}
      </button>
      {callsUsed(table) && (
        <button
          type="button"
          class={mayCall ? "primary" : undefined}
          disabled={!mayCall || busy}
          onClick={hands.call}
          aria-keyshortcuts="c"
        >
          {say("table.call")}
        </button>
      )}
      <button
        type="button"
        class="quiet"
        disabled={!mine || busy}
        onClick={() => void hands.hint()}
        aria-keyshortcuts="h"
      >
        <Icon name="bulb" />
        {say("table.hint")}
      </button>
      {mayCallAlong(table) && (
        <label class="check">
          <input
            type="checkbox"
            checked={hands.callAlong}
            onChange={(event) => hands.setCallAlong(event.currentTarget.checked)}
          />
          <span>{say("table.callAlong")}</span>
        </label>
      )}
      <p class="hint" role="status">
        {hands.suggestion && hintText(table, hands.suggestion)}
      </p>
    </div>
  );
}

function callsUsed(table: Table): boolean {
  const rule = table.game.value?.rules?.lastTileCall;
  return rule === LastTileCall.COURTESY || rule === LastTileCall.REQUIRED;
}

/** With two tiles left, the last one can be announced in the same breath as the other is laid. */
function mayCallAlong(table: Table): boolean {
  const mine = allows(table.legal.value.moves, "playTile");
  const two = table.view.value?.hand.length === 2;
  return mine && two && callsUsed(table) && !table.game.value?.policy?.autoCall;
}

function hintText(table: Table, { action }: NonNullable<Hands["suggestion"]>): string {
  const names = table.game.value ? namesOf(table.game.value, say) : [];
  const round = table.view.value?.round;
  switch (action.case) {
    case "playTile": {
      const { tile, train } = action.value;
      return say("hint.play", {
        tile: tileText(tile),
        train: trainName(trainOf(train), names, say, table.seat),
      });
    }
    case "drawTile":
      return say("hint.draw");
    case "passTurn":
      return say(round?.firstTurn && round.laid > 0 ? "hint.done" : "hint.pass");
    case "callLastTile":
      return say("hint.call");
    default:
      return say("hint.none");
  }
}

/** Single keys make moves, unless something is typed or a window is open, or they are switched off. */
function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const latest = useMemo(() => ({ keys }), []);
  latest.keys = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const typing = (event.target as Element).closest("input, select, textarea, dialog");
      if (!shortcuts.value || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = latest.keys[event.key.toLowerCase()];
      if (!act || event.repeat) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [latest]);
}
