import { cleanup, fireEvent, screen } from "@testing-library/preact";
import { afterEach, describe, expect, it } from "vitest";
import { SCENES, type SceneName } from "../../../gallery/scenes";
import { stage } from "./stage";

afterEach(cleanup);

function labels(role: string): string[] {
  return screen.queryAllByRole(role).map((each) => each.getAttribute("aria-label") ?? "");
}

describe.each(SCENES)("the scene %s", (scene: SceneName) => {
  it("gives every button, tile and picture a name of its own", () => {
    stage(scene);
    const named = [...labels("button"), ...labels("option")];
    expect(named.filter((label) => !label)).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
    expect(labels("img").filter((label) => label === "")).toEqual([]);
  });
});

describe("the board", () => {
  it("says of each train whose it is, what it ends in, and whether it is open", () => {
    stage("four-mid");
    const trains = labels("button").filter((label) => label.includes("ends in"));
    expect(trains[0]).toBe("Your train, 7 tiles, ends in 2, 9 tiles in hand, to move");
    expect(trains[1]).toBe("Dragan’s train, 6 tiles, ends in 1, closed, 6 tiles in hand");
    expect(trains[3]).toMatch(/^Benjamin’s train, .*, marked, open to all, 8 tiles in hand$/);
    expect(trains[4]).toBe("Mexican Train, 5 tiles, ends in 5, open to all");
  });

  it("spells the tiles of a train from the hub outwards", () => {
    stage("two-early");
    expect(screen.getAllByRole("listitem")[0]?.textContent).toMatch(/^12-\d+, \d+-\d+, \d+-\d+/);
  });

  it("says which double is to be covered, and which is dead", () => {
    stage("open-double");
    expect(
      labels("button").filter((label) => label.includes("double must be covered")),
    ).toHaveLength(1);
    stage("fourteen-late");
    const dead = labels("button").filter((label) => label.includes("no tile fits any more"));
    expect(dead.length).toBeGreaterThan(0);
  });

  it("names the hub and counts the boneyard", () => {
    stage("four-mid");
    expect(labels("img")).toEqual(["Hub: double 12", "Boneyard: 19 tiles"]);
  });

  it("lays the tile that was tapped on the train that is tapped", () => {
    const asked = stage("first-turn");
    fireEvent.click(screen.getByRole("option", { name: /^12-0/ }));
    fireEvent.click(screen.getByRole("button", { name: /^Mexican Train/ }));
    expect(asked).toEqual(["play 12-0 mexican"]);
  });

  it("asks why when the picked-up tile is tried on a train that does not take it", () => {
    const asked = stage("first-turn");
    fireEvent.click(screen.getByRole("option", { name: /^12-0/ }));
    fireEvent.click(screen.getByRole("button", { name: /^Benjamin/ }));
    expect(asked).toEqual(["refused 12-0 1"]);
  });

  it("lets only trains be reached by Tab that take the picked-up tile", () => {
    stage("first-turn");
    const stops = () => screen.getAllByRole("button").filter((button) => button.tabIndex === 0);
    expect(stops()).toEqual([]);
    fireEvent.click(screen.getByRole("option", { name: /^12-0/ }));
    expect(stops().map((button) => button.getAttribute("aria-label")?.split(",")[0])).toEqual([
      "Your train",
      "Mexican Train",
    ]);
  });

  it("draws when the boneyard is tapped, but only where drawing is legal", () => {
    const asked = stage("two-draw");
    fireEvent.click(screen.getByRole("button", { name: /^Boneyard: \d+ tiles\. Draw$/ }));
    expect(asked).toEqual(["draw"]);
    stage("waiting");
    expect(screen.queryByRole("button", { name: /Boneyard/ })).toBeNull();
  });

  it("unfolds a long train and folds it again", () => {
    stage("fourteen-late");
    const more = screen.getAllByRole("button", { name: /^Show \d+ more tiles/ })[0] as HTMLElement;
    const before = document.querySelectorAll(".laid").length;
    fireEvent.click(more);
    expect(document.querySelectorAll(".laid").length).toBeGreaterThan(before);
    fireEvent.click(screen.getByRole("button", { name: /^Show less/ }));
    expect(document.querySelectorAll(".laid").length).toBe(before);
  });

  it("shows a spectator every train and no hand", () => {
    stage("spectator");
    expect(screen.queryByRole("listbox")).toBeNull();
    expect(screen.getAllByRole("listitem")).toHaveLength(6);
  });
});

describe("the hand", () => {
  it("says of each tile where it goes, or why it goes nowhere", () => {
    stage("four-mid");
    const fitting = screen.getByRole("option", { name: "7-2, fits: Your train" });
    expect(fitting.getAttribute("aria-disabled")).toBe("false");
    const stuck = screen.getByRole("option", {
      name: /^4-0, cannot be played now: Your train ends/,
    });
    expect(stuck.getAttribute("aria-disabled")).toBe("true");
  });

  it("says nothing of what fits while another seat is to move", () => {
    stage("waiting");
    expect(labels("option").filter((label) => label.includes("fits"))).toEqual([]);
  });

  it("shows a tile's reason to whoever points at it", () => {
    stage("four-mid");
    fireEvent.pointerEnter(screen.getByRole("option", { name: /^4-0/ }));
    expect(document.querySelector(".hand-said")?.textContent).toMatch(/^4-0, cannot be played now/);
  });

  it("is arranged as the player likes", () => {
    stage("double-eighteen");
    fireEvent.click(screen.getByRole("radio", { name: "Best train" }));
    const chained = document.querySelectorAll(".is-chained");
    expect(chained.length).toBeGreaterThan(3);
    expect(chained[0]?.getAttribute("aria-label")).toMatch(/\b7\b/);
  });
});
