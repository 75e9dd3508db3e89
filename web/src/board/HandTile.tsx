// One tile of the hand: what it is called, whether it can be laid, how it is picked up.

import { Domino } from "./Domino";
import type { RackTile } from "./order";
import type { Marks } from "./types";

export interface HandTileProps {
  readonly rack: RackTile;
  readonly unit: number;
  readonly marks: Marks | undefined;
  readonly label: string;
  /** It can be laid now; `null` when nothing can be, so that no tile stands out. */
  readonly fits: boolean | null;
  readonly picked: boolean;
  readonly lifted: boolean;
  readonly hinted: boolean;
  /** It is the tile that the keyboard comes to. */
  readonly current: boolean;
  readonly onPick: (by: "pointer" | "keyboard") => void;
  readonly onFocus: () => void;
  /** The pointer or the keyboard came to it, or left it. */
  readonly onPoint: (pointed: boolean) => void;
  readonly onPress: (event: PointerEvent) => void;
}

export function HandTile(props: HandTileProps) {
  const { rack, unit, label, picked, current, fits } = props;
  return (
    <div
      role="option"
      class={`hand-tile ${classesOf(props)}`}
      aria-label={label}
      aria-selected={picked}
      aria-disabled={fits !== true}
      tabIndex={current ? 0 : -1}
      data-tile={`${rack.tile.high}-${rack.tile.low}`}
      onClick={() => props.onPick("pointer")}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        props.onPick("keyboard");
      }}
      onFocus={() => {
        props.onFocus();
        props.onPoint(true);
      }}
      onBlur={() => props.onPoint(false)}
      onPointerEnter={() => props.onPoint(true)}
      onPointerLeave={() => props.onPoint(false)}
      onPointerDown={props.onPress}
    >
      <Domino first={rack.inner} second={rack.outer} unit={unit} marks={props.marks} />
    </div>
  );
}

function classesOf({ fits, picked, lifted, hinted, rack }: HandTileProps): string {
  const marks = {
    "is-fitting": fits === true,
    "is-stuck": fits === false,
    "is-picked": picked,
    "is-lifted": lifted,
    "is-hinted": hinted,
    "is-chained": rack.chained,
  };
  return Object.entries(marks)
    .filter(([, set]) => set)
    .map(([mark]) => mark)
    .join(" ");
}
