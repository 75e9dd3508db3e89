import { cleanup, fireEvent, screen } from "@testing-library/preact";
import { afterEach, expect, it } from "vitest";
import { stage } from "./stage";

afterEach(cleanup);

function fresh(): number {
  return document.querySelectorAll(".is-fresh").length;
}

it("lets no tile come in when the board is first drawn", () => {
  stage("four-mid");
  expect(fresh()).toBe(0);
});

it("lets the tile come in that was laid, and no other", () => {
  stage("first-turn", { plays: true });
  fireEvent.click(screen.getByRole("option", { name: /^12-0/ }));
  fireEvent.click(screen.getByRole("button", { name: /^Mexican Train/ }));
  expect(fresh()).toBe(1);
  expect(screen.getByRole("button", { name: /^Mexican Train, 1 tile, ends in 0/ })).toBeTruthy();
  expect(screen.queryByRole("option", { name: /^12-0/ })).toBeNull();
});

it("lets no tile come in because a train was unfolded", () => {
  stage("fourteen-late");
  fireEvent.click(screen.getAllByRole("button", { name: /^Show \d+ more/ })[0] as HTMLElement);
  expect(fresh()).toBe(0);
});
