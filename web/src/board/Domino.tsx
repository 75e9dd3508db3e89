// Draws dominoes: ivory with pips, however they lie. Knows no game.

import type { ComponentChildren } from "preact";
import { pipPath } from "./pips";
import type { Heading } from "./snake";
import type { Marks } from "./types";
import "./styles/domino.css";

export interface DominoProps {
  /** The half at the top of an upright tile, 0 to 18. */
  readonly first: number;
  readonly second: number;
  /** The short side, in pixels. */
  readonly unit: number;
  readonly heading?: Heading;
  readonly marks?: Marks | undefined;
  /** What it is called; left out where something around it has the name. */
  readonly label?: string;
}

/** A domino as a picture of its own. */
export function Domino({ label, heading = "down", unit, ...face }: DominoProps) {
  const flat = heading !== "down";
  const [width, height] = flat ? [2 * unit, unit] : [unit, 2 * unit];
  // The tile's thickness shows below it.
  const deep = unit * 0.1;
  return (
    <svg
      class="domino"
      width={width}
      height={height + deep}
      viewBox={`${-width / 2} ${-height / 2} ${width} ${height + deep}`}
      role={label ? "img" : "presentation"}
      aria-label={label}
      aria-hidden={!label}
    >
      <DominoBody heading={heading} unit={unit} {...face} />
    </svg>
  );
}

/** A domino around the origin, for a picture that has many. */
export function DominoBody({
  first,
  second,
  unit,
  heading = "down",
  marks = "pips",
}: Omit<DominoProps, "label">) {
  const angle = ANGLES[heading];
  const half = unit * 0.5;
  return (
    <>
      <Block unit={unit} flat={heading !== "down"} />
      <g transform={angle ? `rotate(${angle})` : undefined}>
        <line class="domino-bar" x1={-unit * 0.36} x2={unit * 0.36} y1={0} y2={0} />
        <circle class="domino-pin" r={unit * 0.055} />
        <Half value={first} at={-half} unit={unit} marks={marks} angle={angle} />
        <Half value={second} at={half} unit={unit} marks={marks} angle={angle} />
      </g>
    </>
  );
}

/** A tile face down. */
export function FaceDown({ unit }: { readonly unit: number }) {
  return (
    <svg
      class="domino is-down"
      aria-hidden
      width={unit}
      height={unit * 2.1}
      viewBox={`${-unit / 2} ${-unit} ${unit} ${unit * 2.1}`}
    >
      <Block unit={unit} flat={false} />
    </svg>
  );
}

/** How far an upright tile is turned so that its second half points the way it is going. */
const ANGLES: Readonly<Record<Heading, number>> = { down: 0, right: -90, left: 90 };

function Block({ unit, flat }: { readonly unit: number; readonly flat: boolean }) {
  const [width, height] = flat ? [2 * unit, unit] : [unit, 2 * unit];
  const box = { x: -width / 2, width, height, rx: unit * 0.17 };
  return (
    <>
      <rect class="domino-edge" {...box} y={-height / 2 + unit * 0.085} />
      <rect class="domino-face" {...box} y={-height / 2} />
    </>
  );
}

interface HalfProps {
  readonly value: number;
  readonly at: number;
  readonly unit: number;
  readonly marks: Marks;
  readonly angle: number;
}

function Half({ value, at, unit, marks, angle }: HalfProps): ComponentChildren {
  if (marks === "numerals") {
    return (
      <text
        class={`domino-numeral pip-${value}`}
        transform={`translate(0 ${at}) rotate(${-angle})`}
        dy="0.36em"
        style={{ fontSize: `${unit * 0.6}px` }}
      >
        {value}
      </text>
    );
  }
  if (value === 0) return null;
  return <path class={`pip-${value}`} transform={`translate(0 ${at})`} d={pathOf(value, unit)} />;
}

const paths = new Map<string, string>();

function pathOf(value: number, unit: number): string {
  const key = `${value}@${unit}`;
  const known = paths.get(key) ?? pipPath(value, unit);
  paths.set(key, known);
  return known;
}
