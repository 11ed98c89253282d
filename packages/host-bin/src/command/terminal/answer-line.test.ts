import { expect, test } from "bun:test";
import { AnswerLine, type AnswerEnd } from "./answer-line.ts";

function typed(...chunks: readonly string[]): { readonly end: AnswerEnd | undefined; readonly echo: string } {
  let echo = "";
  const line = new AnswerLine((text) => (echo += text));
  const end = chunks.map((keys) => line.type(keys)).find((result) => result !== undefined);
  return { end, echo };
}

const answers: readonly (readonly [keys: readonly string[], text: string])[] = [
  [["\r"], ""],
  [["y\r"], "y"],
  [["y", "e", "s", "\n"], "yes"],
  [["n\u007Fy\r"], "y"],
  [["always\u0015n\r"], "n"],
  [["\u007F\by\r"], "y"],
  [["\u001B[Ay\u001BOB\u001B[1;5C\r"], "y"],
  [["ÿ\u009By\u202E\t\r"], "y"],
  [["y\r\n"], "y"],
  [["y\rn\r"], "y\rn\r"],
  [["y", "\r\ralways\r"], "y\r\ralways\r"],
  [["a\u0004b\r"], "ab"],
  [["z".repeat(250), "\r"], "z".repeat(200)],
];
for (const [keys, text] of answers)
  test(`AnswerLine reads ${JSON.stringify(keys)} as ${JSON.stringify(text)}`, () => {
    expect(typed(...keys).end).toEqual({ kind: "answer", text });
  });

test("AnswerLine ends with Ctrl-C, and with Ctrl-D when empty", () => {
  expect(typed("y\u0003").end).toEqual({ kind: "interrupt" });
  expect(typed("\u0004").end).toEqual({ kind: "end" });
  expect(typed("y").end).toBeUndefined();
});

test("AnswerLine echoes characters and deletes only existing ones", () => {
  expect(typed("ab\u001B[2J\u009B\u007F\u0015\u007F\r").echo).toBe("ab\b \b\b \b");
});

test("AnswerLine accepts any printable character for free text, and deletes wide ones", () => {
  let screen = "";
  const line = new AnswerLine((echo) => (screen += echo), { takesText: true });

  line.type("São 漢\u007F\u009B\u202E\u200B\u001B[A!");

  expect(line.type("\r")).toEqual({ kind: "answer", text: "São !" });
  expect(screen).toBe("São 漢\b \b\b \b!");
});
