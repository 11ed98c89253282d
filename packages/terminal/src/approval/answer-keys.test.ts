import { expect, test } from "bun:test";
import { AnswerKeys, type KeyTarget } from "./answer-keys.ts";

const enter = "\r";
const escape = "\u001B";
const shiftTab = "\u001B[Z";
const down = "\u001B[B";
const up = "\u001B[A";
const offered = ["y", "n", "1", "f"];

class Desk {
  readonly keys = new AnswerKeys();
  text = "";

  constructor({ isSettled = true }: { readonly isSettled?: boolean } = {}) {
    this.draw();
    if (isSettled) this.pause();
  }

  draw(): void {
    this.keys.drawn(this.keys.state(this.#content));
  }

  pause(): void {
    this.keys.settled();
    this.draw();
  }

  press(
    data: string,
    { isAlone = true, isDrawn = true }: { readonly isAlone?: boolean; readonly isDrawn?: boolean } = {},
  ): KeyTarget {
    const target = this.keys.take({ data, isAlone }, this.#content, offered);
    if (target.kind === "editor") this.#type(data);
    if (isDrawn) this.draw();
    return target;
  }

  get state(): string {
    return this.keys.state(this.#content).kind;
  }

  get #content(): { text: string; isOffering: boolean } {
    return { text: this.text, isOffering: false };
  }

  #type(data: string): void {
    const pasted = /^\u001B\[200~(.*)\u001B\[201~$/s.exec(data)?.[1]; // oxlint-disable-line no-control-regex -- a paste
    if (pasted !== undefined) this.text += pasted;
    else if (data === "\u007F") this.text = this.text.slice(0, -1);
    else if (/^\P{Cc}$/u.test(data)) this.text += data;
  }
}

test("AnswerKeys answers for a single answer key typed after a pause, then Enter", () => {
  const desk = new Desk();

  expect(desk.press("y")).toEqual({ kind: "editor" });
  expect(desk.state).toBe("armed");
  expect(desk.text).toBe("y");
  expect(desk.press(enter)).toEqual({ kind: "answer", key: "y", isTyped: true });
});

function expectUnanswered(cases: Readonly<Record<string, (desk: Desk) => void>>): void {
  for (const [what, type] of Object.entries(cases)) {
    const desk = new Desk();
    type(desk);

    expect({ what, target: desk.press(enter) }).toEqual({ what, target: { kind: "editor" } });
  }
}

test("[attack:terminal-typed-into-question] AnswerKeys passes words containing answer keys to the editor", () => {
  expectUnanswered({
    "a sentence that begins with one": (desk) => Array.from("yes please").forEach((key) => desk.press(key)),
    "a sentence that holds a digit": (desk) => Array.from("the 1").forEach((key) => desk.press(key)),
    "another letter, taken back": (desk) => ["a", "\u007F", "y"].forEach((key) => desk.press(key)),
    "a key that disarms, such as an arrow": (desk) => ["y", "\u001B[D"].forEach((key) => desk.press(key)),
    "an answer that was not drawn before Enter": (desk) => desk.press("y", { isDrawn: false }),
    "a key that is not offered": (desk) => desk.press("2"),
    "a capital letter": (desk) => desk.press("Y"),
  });
});

test("[attack:terminal-pasted-into-question] AnswerKeys passes bracketed and plain pastes to the editor", () => {
  expectUnanswered({
    "a paste with brackets": (desk) => desk.press("\u001B[200~y\u001B[201~"),
    "a burst in one read": (desk) => desk.press("y", { isAlone: false }),
  });
});

test("[attack:terminal-repeated-key] AnswerKeys passes a repeated key to the editor", () => {
  expectUnanswered({
    "a letter that is held down": (desk) => Array.from("yyyy").forEach((key) => desk.press(key)),
    "a repeat of the keyboard protocol": (desk) => desk.press("\u001B[121;1:2u"),
  });
});

test("AnswerKeys passes an Enter read together with other keys to the editor", () => {
  const desk = new Desk();
  desk.press("y");

  expect(desk.press(enter, { isAlone: false })).toEqual({ kind: "editor" });
  expect(desk.press(enter)).toEqual({ kind: "editor" });
});

test("AnswerKeys arms nothing before the settle time, even between a letter and Enter", () => {
  const early = new Desk({ isSettled: false });
  early.press("y");
  const between = new Desk({ isSettled: false });
  between.text = "y";
  between.pause();

  expect(early.press(enter)).toEqual({ kind: "editor" });
  expect(between.press(enter)).toEqual({ kind: "editor" });
});

test("AnswerKeys denies on Escape in an empty, settled editor unless a key follows", () => {
  const alone = new Desk();
  const denied = alone.press(escape);
  const withAlt = new Desk();
  withAlt.press(escape);
  withAlt.press("b");
  const withText = new Desk();
  withText.press("a");

  expect(denied).toEqual({ kind: "escape" });
  expect(alone.keys.escapeEnded({ text: "", isOffering: false })).toBe(true);
  expect(withAlt.keys.escapeEnded({ text: withAlt.text, isOffering: false })).toBe(false);
  expect(withText.press(escape)).toEqual({ kind: "editor" });
  expect(new Desk({ isSettled: false }).press(escape)).toEqual({ kind: "editor" });
});

test("AnswerKeys moves into the question on Shift-Tab without a preselection", () => {
  const desk = new Desk();
  desk.text = "half a message";
  desk.pause();

  expect(desk.press(shiftTab)).toEqual({ kind: "question" });
  expect(desk.press(enter)).toEqual({ kind: "question" });
  desk.press(down);
  desk.press(down);
  expect(desk.press(enter)).toEqual({ kind: "answer", key: "n", isTyped: false });
  expect(desk.text).toBe("half a message");
});

test("AnswerKeys returns to the editor on Escape, and on text keys, which it keeps", () => {
  const desk = new Desk();
  desk.press(shiftTab);
  desk.press(up);

  expect(desk.press("y")).toEqual({ kind: "editor" });
  expect(desk.state).not.toBe("focused");
  expect(desk.text).toBe("y");
  expect(desk.press(enter)).toEqual({ kind: "editor" });
  desk.pause();
  desk.press(shiftTab);
  desk.press(escape);
  expect(desk.state).toBe("writing");
});

test("AnswerKeys ignores Shift-Tab before the question has settled", () => {
  const desk = new Desk({ isSettled: false });

  expect(desk.press(shiftTab)).toEqual({ kind: "editor" });
  expect(desk.state).toBe("settling");
});

test("AnswerKeys sends no second answer until the first has failed", () => {
  const desk = new Desk();
  desk.press("y");
  desk.press(enter);
  desk.text = "";
  desk.pause();
  desk.press("y");

  expect(desk.press(enter)).toEqual({ kind: "editor" });
  desk.keys.reopen();
  desk.text = "";
  desk.pause();
  desk.press("y");
  expect(desk.press(enter)).toMatchObject({ kind: "answer" });
});
