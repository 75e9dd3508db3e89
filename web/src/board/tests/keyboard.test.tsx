import { cleanup, fireEvent, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nextPlace } from "../roving";
import { type Asked, stage } from "./stage";

afterEach(cleanup);

/** Presses a key where the focus is, as a keyboard does. */
function press(key: string, held: { readonly ctrlKey?: boolean } = {}): void {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held });
}

function focused(): string {
  return document.activeElement?.getAttribute("aria-label") ?? "nothing";
}

function firstTile(): HTMLElement {
  return screen.getAllByRole("option")[0] as HTMLElement;
}

/** Picks up the first tile, 12-1, which goes on the own train and on the Mexican Train. */
async function pickFirst(): Promise<void> {
  firstTile().focus();
  press("Enter");
  await waitFor(() => expect(focused()).toMatch(/^Your train/));
}

describe("a hand at the keyboard", () => {
  let asked: Asked;
  beforeEach(() => {
    asked = stage("first-turn");
  });

  it("is one stop: only one tile can be reached by Tab", () => {
    const stops = screen.getAllByRole("option").filter((tile) => tile.tabIndex === 0);
    expect(stops).toEqual([firstTile()]);
  });

  it("goes from tile to tile with the arrows, and stays at the ends", async () => {
    firstTile().focus();
    press("ArrowLeft");
    await waitFor(() => expect(focused()).toMatch(/^12-1/));
    press("ArrowRight");
    await waitFor(() => expect(focused()).toMatch(/^12-0/));
    press("End");
    await waitFor(() => expect(focused()).toMatch(/^double 1/));
  });

  it("picks a tile up with Enter and goes to the first train that takes it", async () => {
    await pickFirst();
    expect(firstTile().getAttribute("aria-selected")).toBe("true");
    expect(
      screen.getByText(/^12-1 picked up\. Fits: Your train, the Mexican Train\./),
    ).toBeTruthy();
  });

  it("lays the tile on the train that an arrow leads to", async () => {
    await pickFirst();
    press("ArrowRight");
    await waitFor(() => expect(focused()).toMatch(/^Mexican Train/));
    fireEvent.click(document.activeElement as HTMLElement);
    expect(asked).toEqual(["play 12-1 mexican"]);
  });

  it("lays the tile on the train of a number", async () => {
    await pickFirst();
    press("2");
    expect(asked).toEqual(["play 12-1 mexican"]);
  });

  it("takes no number that no train has", async () => {
    await pickFirst();
    press("3");
    expect(asked).toEqual([]);
  });

  it("puts the tile back with Escape and returns to it", async () => {
    await pickFirst();
    press("Escape");
    await waitFor(() => expect(focused()).toMatch(/^12-1/));
    expect(firstTile().getAttribute("aria-selected")).toBe("false");
    expect(screen.getByText("12-1 put back.")).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it("asks why when a tile that goes nowhere is picked", () => {
    const stuck = screen.getByRole("option", { name: /^11-9/ });
    stuck.focus();
    press("Enter");
    expect(asked).toEqual(["refused 11-9 null"]);
    expect(stuck.getAttribute("aria-selected")).toBe("false");
  });

  it("moves a tile with Control and an arrow, and says where it is", async () => {
    firstTile().focus();
    press("ArrowRight", { ctrlKey: true });
    await waitFor(() => expect(screen.getByText("12-1 is now at position 2 of 15.")).toBeTruthy());
    expect(firstTile().getAttribute("aria-label")).toMatch(/^12-0/);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "My order" }).checked).toBe(true);
  });
});

it("picks nothing up while a move is on its way", () => {
  const asked = stage("first-turn", { busy: true });
  firstTile().focus();
  press("Enter");
  expect(firstTile().getAttribute("aria-selected")).toBe("false");
  expect(asked).toEqual([]);
});

it("leaves keys alone that mean nothing in a hand", () => {
  expect(nextPlace("a", 3, 8, 20)).toBeNull();
  expect(nextPlace("ArrowDown", 3, 8, 20)).toBe(11);
  expect(nextPlace("ArrowDown", 15, 8, 20)).toBe(15);
  expect(nextPlace("ArrowUp", 3, 8, 20)).toBe(3);
});

it("takes a key for nothing that is pressed elsewhere on the page", async () => {
  const asked = stage("first-turn");
  await pickFirst();
  fireEvent.keyDown(document.body, { key: "2" });
  expect(asked).toEqual([]);
});
