import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { countdown } from "../src/game/times";
import { ErrorReason } from "../src/gen/mextrain/v1/error_reason_pb";
import { EventSchema, PassCause, SeatChange } from "../src/gen/mextrain/v1/event_pb";
import { RefusalSchema } from "../src/gen/mextrain/v1/move_pb";
import { en } from "../src/i18n/en";
import { translator } from "../src/i18n/translate";
import { problemText, refusalText } from "../src/words/problems";
import { sentence } from "../src/words/story";
import { ROUNDS } from "./recorded";

const say = translator("en", en);
const NAMES = ["Ada", "Bea", "Carl", "Dora"];
const TELLING = { names: NAMES, t: say, language: "en", me: 0 };

describe("a refusal", () => {
  const refusals = Object.keys(ErrorReason)
    .filter((name) => Number(ErrorReason[name as keyof typeof ErrorReason]) >= 1)
    .filter((name) => Number(ErrorReason[name as keyof typeof ErrorReason]) < 40);

  test.each(refusals)("for %s has words of its own", (name) => {
    expect(Object.keys(en)).toContain(`refusal.${name}`);
  });

  test("names trains and seats as the table does", () => {
    const refusal = create(RefusalSchema, {
      reason: ErrorReason.ENDS_DO_NOT_MATCH,
      facts: { tile: "9-4", train: "1", end: "5" },
    });
    expect(refusalText(refusal, NAMES, say, 0)).toBe("9-4 does not fit: Bea’s train ends in 5.");
    expect(refusalText(refusal, NAMES, say, 1)).toBe("9-4 does not fit: your train ends in 5.");
  });

  test("of a reason that is not known says what the service says", () => {
    const refusal = create(RefusalSchema, { reason: ErrorReason.INTERNAL, message: "no luck" });
    expect(refusalText(refusal, NAMES, say)).toBe("no luck");
  });
});

test("a problem with fields names each", () => {
  const problem = {
    reason: "RULE_SET_INVALID",
    facts: {},
    message: "",
    passes: false,
    retryAfterMs: 0,
    fields: [{ field: "rounds", description: "too many" }],
  };
  expect(problemText(problem, [], say)).toBe("Invalid rules: too many");
});

describe("the story", () => {
  test.each(ROUNDS)("of $name leaves nothing unfilled", ({ events }) => {
    for (const event of events) expect(sentence(event, TELLING) ?? "").not.toMatch(/[{}]/);
  });

  test("tells of each kind of pass and of change", () => {
    const of = (fact: Parameters<typeof create<typeof EventSchema>>[1]) =>
      sentence(create(EventSchema, fact), TELLING);
    const passes = [PassCause.UNABLE, PassCause.DUTY_FAILED, PassCause.OPENING_DONE].map((cause) =>
      of({ fact: { case: "turnPassed", value: { seat: 1, cause } } }),
    );
    expect(new Set(passes).size).toBe(3);
    const change = SeatChange.TIMED_OUT;
    expect(of({ fact: { case: "seatChanged", value: { seat: 1, change } } })).toBe(
      "Bea: ran out of time",
    );
  });
});

test.each([
  [7_000, "0:07"],
  [6_001, "0:07"],
  [750_000, "12:30"],
  [18_180_000, "5:03:00"],
  [-5_000, "0:00"],
])("%d milliseconds are shown as %s", (ms, text) => {
  expect(countdown(ms)).toBe(text);
});
