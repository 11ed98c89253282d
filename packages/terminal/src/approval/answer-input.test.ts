import { expect, test } from "bun:test";
import { AnswerInput } from "./answer-input.ts";
import { LateKeys } from "./late-keys.ts";
import { FakeTiming } from "./testing/fake-timing.ts";

const enter = "\r";
const escape = "\u001B";
const offered = ["y", "n", "1"];

class Desk {
  readonly timing = new FakeTiming();
  readonly answers: string[] = [];
  readonly input: AnswerInput;
  text = "";

  constructor() {
    this.input = new AnswerInput({
      timing: this.timing,
      editor: {
        content: () => ({ text: this.text, isOffering: false }),
        clear: () => (this.text = ""),
        type: (data) => (this.text += data),
      },
      requestRender: () => this.input.draw(),
      onDeny: () => this.answers.push("Escape"),
    });
    this.input.draw();
  }

  press(data: string): void {
    const target = this.input.take({ data, isAlone: true }, offered);
    if (target.kind === "answer") this.answers.push(target.key);
    else if (target.kind === "editor" && /^\P{Cc}$/u.test(data)) this.text += data;
    this.input.draw();
  }

  after(ms: number, ...keys: readonly string[]): void {
    this.timing.advance(ms);
    for (const key of keys) this.press(key);
  }
}

test("AnswerInput restarts the settle time at the first frame and at each key", () => {
  const early = new Desk();
  early.after(490, "y", enter);
  const typing = new Desk();
  typing.after(300, "a", "\u007F");
  typing.text = "";
  typing.after(400, "y", enter);
  const settled = new Desk();
  settled.after(520, "y");
  settled.after(40, enter);

  expect(early.answers).toEqual([]);
  expect(typing.answers).toEqual([]);
  expect(settled.answers).toEqual(["y"]);
  expect(settled.text).toBe("");
});

test("[attack:terminal-stopped-question] AnswerInput ignores keys typed while the process was stopped", () => {
  const desk = new Desk();
  desk.timing.stop(10_000);
  desk.press("y");
  desk.press(enter);
  const went = new Desk();
  went.timing.stop(10_000);
  went.after(520, "y", enter);

  expect(desk.answers).toEqual([]);
  expect(went.answers).toEqual(["y"]);
});

test("AnswerInput denies on Escape if no key follows shortly", () => {
  const alone = new Desk();
  alone.after(520, escape);
  alone.timing.advance(149);
  const before = [...alone.answers];
  alone.timing.advance(1);
  const withAlt = new Desk();
  withAlt.after(520, escape);
  withAlt.after(20, "b");
  withAlt.timing.advance(1_000);

  expect(before).toEqual([]);
  expect(alone.answers).toEqual(["Escape"]);
  expect(withAlt.answers).toEqual([]);
});

test("LateKeys withholds Enter from the editor after its question has ended, and reports it", () => {
  const timing = new FakeTiming();
  const told: string[] = [];
  const late = new LateKeys(timing, (key) => told.push(key));
  const y = { text: "y", isOffering: false };
  const key = { data: enter, isAlone: true };
  late.begin({ kind: "armed", key: "y" });
  timing.advance(5_000);

  expect(late.take(key, y)).toBe(true);
  expect(late.take(key, y)).toBe(false);
  expect(told).toEqual(["y"]);
});

test("[attack:terminal-repeated-key] LateKeys withholds a held Enter after an answer from a draft", () => {
  const timing = new FakeTiming();
  const late = new LateKeys(timing, () => {});
  const draft = { text: "half a message", isOffering: false };
  const key = { data: enter, isAlone: true };
  late.begin({ kind: "answered" });
  for (let repeat = 0; repeat < 100; repeat += 1) {
    timing.advance(30);
    expect(late.take(key, draft)).toBe(true);
  }
  timing.advance(600);

  expect(late.take(key, draft)).toBe(false);
});

test("LateKeys withholds Escape from a turn whose question has just ended", () => {
  const timing = new FakeTiming();
  const late = new LateKeys(timing, () => {});
  const key = { data: escape, isAlone: true };
  const empty = { text: "", isOffering: false };
  late.begin({ kind: "ready" });
  timing.advance(300);
  const soon = late.take(key, empty);
  timing.advance(600);
  late.begin({ kind: "ready" });
  const offering = late.take(key, { text: "@", isOffering: true });

  expect(soon).toBe(true);
  expect(late.take(key, empty)).toBe(false);
  expect(offering).toBe(false);
});
