import { expect, test } from "bun:test";
import { MessageLines } from "./message-lines.ts";

interface Typed {
  readonly lines: MessageLines;
  readonly written: () => string;
  readonly interrupted: () => number;
}

function typed(): Typed {
  let written = "";
  let interrupted = 0;
  const lines = new MessageLines({
    prompt: "> ",
    write: (text) => (written += text),
    onInterrupt: () => (interrupted += 1),
  });
  return { lines, written: () => written, interrupted: () => interrupted };
}

test("MessageLines writes the prompt and each character once for any keys", async () => {
  const { lines, written } = typed();
  lines.prompt();
  for (const key of ["H", "e", "y", "\u001B[D", "\u001B[A", "\u001BOP", "\u007F", "l", "値", "\u007F", "p", "\r"])
    lines.type(key);
  const reading = lines[Symbol.asyncIterator]();
  const first = await reading.next();
  lines.prompt();
  lines.type("again\r\u0004");

  expect([first.value, (await reading.next()).value, (await reading.next()).done]).toEqual(["Help", "again", true]);
  expect(written()).toBe("> Hey\b \bl値\b \b\b \bp\n> again\n");
});

test("MessageLines keeps text typed between prompts and shows it at the next", async () => {
  const { lines, written, interrupted } = typed();
  const reading = lines[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => (await reading.next()).value;
  lines.prompt();
  lines.type("one\r");
  expect(await next()).toBe("one");
  lines.type("twp\u007Fo");
  lines.type("\u0003");
  expect(written()).toBe("> one\n");
  lines.prompt();
  lines.add(" pasted");
  lines.type("\r");
  expect(await next()).toBe("two pasted");
  lines.type("three\r");
  lines.prompt();
  lines.close();

  expect([await next(), (await reading.next()).done]).toEqual(["three", true]);
  expect(written()).toBe("> one\n> two pasted\n> three\n");
  expect(interrupted()).toBe(1);
});

test("MessageLines clears a line with Ctrl-U, and Ctrl-D closes only an empty one", async () => {
  const { lines, written } = typed();
  lines.prompt();
  lines.type("ab\u0004\u0015\u0004");

  expect(await Array.fromAsync(lines)).toEqual([]);
  expect(written()).toBe("> ab\b \b\b \b\n");
});
