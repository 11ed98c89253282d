import { expect, test } from "bun:test";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const frame = { begin: "\u001B[?2026h", end: "\u001B[?2026l" } as const;

function numbered(text: string): readonly number[] {
  return [...text.matchAll(/\brow (\d+)\b/g)].map(([, count]) => Number(count));
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

test("the terminal: each row of a long answer is in the scrollback once, without clearing", async () => {
  await using world = await newTerminalWorld();
  const rows = upTo(300).map((count) => `This is row ${count}.\n\n`);
  const code = upTo(60).map(
    (count) => `const row${count} = ${count}; // row ${300 + count}\n${count % 10 === 0 ? "\n" : ""}`,
  );
  world.model.enqueue({ kind: "text", chunks: [...rows, "```ts\n", ...code, "```\n\nDone"] });
  const sitting = await world.open();
  // Key support is detected shortly after the start, since this terminal does not report it.
  await sitting.sees(() => sitting.bytes.includes("\u001B[>4;2m"));
  const before = sitting.bytes.length;

  await sitting.enterUntil("Count", /Done[\s\S]* all/);

  const drawn = sitting.bytes.slice(before);
  expect(numbered(sitting.everything().replaceAll(/\s+/g, " "))).toEqual(upTo(360));
  expect(drawn).not.toMatch(/\u001B\[[23]J|\u001B\[\?1049h/); // oxlint-disable-line no-control-regex -- they are looked for
  const outside = drawn.replaceAll(/\u001B\[\?2026h[\s\S]*?\u001B\[\?2026l/g, ""); // oxlint-disable-line no-control-regex -- as above
  expect(outside).toBe("");
  expect(drawn.split(frame.begin).length).toBe(drawn.split(frame.end).length);
});

test("the terminal: rows above a growing answer are not rewritten", async () => {
  await using world = await newTerminalWorld();
  const words = upTo(40).map((count) => `word${count} `);
  world.model.enqueue({ kind: "text", chunks: ["First paragraph.\n\n", ...words], gate: true });
  const sitting = await world.open();
  sitting.enter("Hello");
  await world.model.waitFor(({ waitingChunks }) => waitingChunks > 0);
  world.model.release();
  world.model.release();
  await sitting.sees("word1");
  const before = sitting.bytes.length;

  world.model.releaseAll();
  await sitting.sees(/word40[\s\S]* all/);

  const drawn = sitting.bytes.slice(before);
  expect(drawn).not.toContain("First paragraph");
  expect(drawn).not.toContain("Hello");
});

test("the terminal: resizing the window during an answer loses nothing", async () => {
  await using world = await newTerminalWorld();
  const rows = upTo(60).map((count) => `This is row ${count}, which is longer than a narrow window is wide.\n\n`);
  world.model.enqueue({ kind: "text", chunks: [...rows, "Done"], gate: true });
  const sitting = await world.open({ columns: 80, rows: 20 });
  sitting.enter("Count");
  const widths = [50, 120, 30, 80];

  for (const [index, width] of widths.entries()) {
    await world.model.waitFor(({ waitingChunks }) => waitingChunks > 0);
    for (let count = 0; count < 12; count += 1) world.model.release();
    await sitting.sees((screen) => Math.max(0, ...numbered(screen)) >= index * 12 + 9);
    sitting.resize(width, index % 2 === 0 ? 12 : 24);
  }
  world.model.releaseAll();
  await sitting.sees(/Done[\s\S]* all/);

  const seen = numbered(sitting.everything().replaceAll(/\s+/g, " "));
  expect([...new Set(seen)]).toEqual([...upTo(60)]);
  // At narrow widths, some rows are drawn at most twice.
  expect(seen.length).toBeLessThan(75);
  sitting.type(keys.ctrl("d"));
  expect(await sitting.exited).toBe(0);
});

test("[attack:terminal-deep-quotation] the terminal survives a hundred nested quotations, live and when reopened", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({
    kind: "text",
    chunks: [">".repeat(60), `${">".repeat(40)} deep\n\n`, "> - ".repeat(60), "done"],
  });
  const first = await world.open();

  await first.enterUntil("Quote it", /done[\s\S]* all/);
  await first.enterUntil("And then?", "Reply 2");
  const later = world.sit({ args: ["-c"] });
  await later.sees("Reply 2");

  for (const sitting of [first, later]) expect(sitting.everything()).toMatch(/│ deep$/m);
});

test("[attack:terminal-dense-emphasis] the terminal survives 20,000 emphasis marks, live and when reopened", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["**a ".repeat(20_000), "\n\n", "done"] });
  const first = await world.open();

  await first.enterUntil("Set it off", /done[\s\S]* all/);
  await first.enterUntil("And then?", "Reply 2");
  const later = world.sit({ args: ["-c"] });
  await later.sees("Reply 2");

  for (const sitting of [first, later]) expect(sitting.everything()).toMatch(/^\*\*a \*\*a/m);
});
