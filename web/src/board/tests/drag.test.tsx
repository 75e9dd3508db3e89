import { cleanup, fireEvent, screen } from "@testing-library/preact";
import { afterEach, expect, it, vi } from "vitest";
import { stage } from "./stage";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Drags a tile of the hand to an element, of which a page without layout must be told where it is. */
function drag(
  tile: HTMLElement,
  over: Element | null,
  end: "pointerUp" | "pointerCancel" = "pointerUp",
) {
  document.elementFromPoint = () => over;
  const pointer = { pointerId: 7, pointerType: "touch", button: 0 };
  fireEvent.pointerDown(tile, { ...pointer, clientX: 10, clientY: 500 });
  fireEvent.pointerMove(window, { ...pointer, clientX: 60, clientY: 300 });
  fireEvent[end](window, { ...pointer, clientX: 60, clientY: 300 });
}

const tile = (name: RegExp) => screen.getByRole("option", { name });
const lane = (name: RegExp) => screen.getByRole("button", { name });

it("lays a tile that is dropped on a train that takes it", () => {
  const asked = stage("first-turn");
  drag(tile(/^12-0/), lane(/^Mexican Train/));
  expect(asked).toEqual(["play 12-0 mexican"]);
});

it("asks why when a tile is dropped on a train that does not take it", () => {
  const asked = stage("first-turn");
  drag(tile(/^11-9/), lane(/^Your train/));
  expect(asked).toEqual(["refused 11-9 0"]);
});

it("does nothing when a tile is dropped beside everything, or the drag is taken away", () => {
  const asked = stage("first-turn");
  drag(tile(/^12-0/), null);
  drag(tile(/^12-0/), lane(/^Your train/), "pointerCancel");
  expect(asked).toEqual([]);
  expect(screen.queryAllByRole("option", { selected: true })).toEqual([]);
});

it("marks the train under the tile while it is dragged, and no more afterwards", () => {
  stage("first-turn");
  document.elementFromPoint = () => lane(/^Your train/);
  const pointer = { pointerId: 7, pointerType: "mouse", button: 0 };
  fireEvent.pointerDown(tile(/^12-0/), { ...pointer, clientX: 10, clientY: 500 });
  fireEvent.pointerMove(window, { ...pointer, clientX: 60, clientY: 300 });
  expect(document.querySelectorAll("[data-over]")).toHaveLength(1);
  fireEvent.pointerUp(window, { ...pointer, clientX: 60, clientY: 300 });
  expect(document.querySelectorAll("[data-over]")).toHaveLength(0);
});

it("takes a pointer that hardly moves for a tap", () => {
  const asked = stage("first-turn");
  const picked = tile(/^12-0/);
  const pointer = { pointerId: 7, pointerType: "touch", button: 0 };
  fireEvent.pointerDown(picked, { ...pointer, clientX: 10, clientY: 500 });
  fireEvent.pointerMove(window, { ...pointer, clientX: 13, clientY: 498 });
  fireEvent.pointerUp(window, { ...pointer, clientX: 13, clientY: 498 });
  fireEvent.click(picked);
  expect(tile(/^12-0/).getAttribute("aria-selected")).toBe("true");
  expect(asked).toEqual([]);
});
