// The plate of a train: whose it is, how many tiles that seat holds, whether a marker lies on it.

import type { Translate } from "../i18n/translate";
import { HandIcon, Locomotive, TurnIcon } from "./icons";
import type { LaidLane } from "./layout";
import type { SeenTrain } from "./seen";

interface PlateProps {
  readonly train: SeenTrain;
  readonly lane: LaidLane;
  readonly t: Translate;
}

/** All of it is in the label of the lane's button, so it is hidden from screen readers. */
export function Plate({ train, lane, t }: PlateProps) {
  const { name, title, inHand, marked, called, toMove, double } = train;
  const colour = name === "mexican" ? "var(--mexican)" : `var(--seat-${name})`;
  return (
    <div
      class={lane.plate.x > lane.x ? "plate is-outer" : "plate"}
      aria-hidden
      style={{
        left: `${lane.plate.x - lane.x}px`,
        width: `${lane.plate.width}px`,
        "--seat": colour,
      }}
    >
      <span class="plate-name">
        {toMove && <TurnIcon />}
        {name === "mexican" && <Locomotive />}
        <span class="plate-title">{title}</span>
      </span>
      <span class="plate-facts">
        {inHand !== undefined && (
          <span class={called || inHand === 1 ? "plate-count is-last" : "plate-count"}>
            <HandIcon />
            {inHand}
          </span>
        )}
        {marked && (
          <span class="plate-marker">
            <Locomotive />
          </span>
        )}
        {double === "cover" && (
          <span class="plate-flag is-owed">
            <span class="plate-word">{t("board.cover")}</span>
          </span>
        )}
        {double === "dead" && (
          <span class="plate-flag is-dead">
            <span class="plate-word">{t("board.dead")}</span>
          </span>
        )}
      </span>
    </div>
  );
}
