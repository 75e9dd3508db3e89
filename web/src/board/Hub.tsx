// The middle of the table: the hub double, and the boneyard below or beside it.

import type { Translate } from "../i18n/translate";
import { Domino, FaceDown } from "./Domino";
import type { Layout } from "./layout";
import type { BoardProps, Marks } from "./types";

interface HubProps {
  readonly value: number;
  readonly layout: Layout;
  readonly marks: Marks | undefined;
  readonly t: Translate;
}

export function Hub({ value, layout, marks, t }: HubProps) {
  const { x, y, radius } = layout.hub;
  const unit = radius * (layout.shape === "list" ? 0.72 : 0.66);
  return (
    <div
      class="hub"
      style={{
        left: `${x - radius}px`,
        top: `${y - radius}px`,
        width: `${2 * radius}px`,
        height: `${2 * radius}px`,
      }}
    >
      <Domino
        first={value}
        second={value}
        unit={unit}
        marks={marks}
        label={t("board.hub", { value })}
      />
    </div>
  );
}

interface BoneyardProps extends BoardProps {
  readonly count: number;
  readonly layout: Layout;
}

export function Boneyard({ count, layout, moves, busy, onDraw, t }: BoneyardProps) {
  const mayDraw = moves.some(({ action }) => action.case === "drawTile");
  const { x, y, radius } = layout.hub;
  const below = layout.shape !== "list";
  const place = below
    ? { left: `${x}px`, top: `${y + radius + 18}px` }
    : { left: `${x + radius + 20}px`, top: `${y}px` };
  const text = count ? t("board.boneyard", { n: count }) : t("board.boneyard-empty");
  const pile = (
    <>
      <span class="boneyard-pile" aria-hidden>
        {[0, 1, 2].slice(0, count).map((tile) => (
          <FaceDown key={tile} unit={below ? 15 : 12} />
        ))}
      </span>
      <span class="boneyard-text" aria-hidden>
        <b>{count}</b> {t("board.boneyard-name")}
      </span>
    </>
  );
  if (!mayDraw) {
    return (
      <div class="boneyard" style={place} role="img" aria-label={text}>
        {pile}
      </div>
    );
  }
  return (
    <button
      type="button"
      class="boneyard is-open"
      style={place}
      aria-label={`${text}. ${t("board.draw")}`}
      disabled={busy}
      onClick={onDraw}
    >
      {pile}
    </button>
  );
}
