import { expect, test } from "bun:test";
import { framesOf, type Frame } from "./frames.ts";
import type { Sitting } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const rows = 30;
const code = Array.from({ length: 24 }, (_, index) =>
  index % 6 === 5 ? "" : `const row${index} = Math.max(${index}, 2); // ${index}`,
).join("\n");
const table = Array.from(
  { length: 6 },
  (_, index) => `| name ${index} | 値${index} | some more words ${index} |`,
).join("\n");
const list = Array.from({ length: 8 }, (_, index) => `- item ${index} of the list, with **bold** words`).join("\n");
const answer = `Paragraph one, with enough words that it is wrapped in each of the windows that this is seen in: ${"more and more words of it, ".repeat(6)}.

Paragraph two, before the code.

\`\`\`ts
${code}
\`\`\`

Paragraph three, before the table.

| name | 値 | notes |
| --- | --- | --- |
${table}

Paragraph four, before the list.

${list}

Paragraph five, the last one. All of it was said.`;

const pieces = Array.from({ length: 200 }, (_, index) =>
  answer.slice(Math.floor((index * answer.length) / 200), Math.floor(((index + 1) * answer.length) / 200)),
);

/** Everything above is final: a block, or a code line after an empty one. */
const begins = /^(?:Paragraph|┌| *- item 0| *const row(?:0|6|12|18) )/;

function firstOpenRow({ screen }: Frame): number {
  const found = [...screen].filter(([, text]) => begins.test(text)).map(([row]) => row);
  return Math.max(-1, ...found);
}

function expectSteady(frames: readonly Frame[]): void {
  for (const [index, frame] of frames.entries()) {
    expect({ index, ...frame }).toMatchObject({ rowsForNothing: [], clearedForNothing: 0, cameBack: 0 });
    const before = frames[index - 1];
    if (before !== undefined) expect(Math.min(...frame.rows)).toBeGreaterThanOrEqual(firstOpenRow(before));
  }
}

async function waiting(columns: number): Promise<{ readonly world: TerminalWorld; readonly sitting: Sitting }> {
  const world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: pieces, gate: true });
  const sitting = await world.open({ columns, rows });
  sitting.enter("Say it");
  await world.model.waitFor(({ waitingChunks }) => waitingChunks > 0);
  await sitting.sees(/^Paragr[\s\S]*(?:Waiting for|the rest of the answer)/m);
  return { world, sitting };
}

for (const columns of [50, 80]) {
  test(`nothing flickers and no finished row is redrawn while Markdown streams, at ${columns} columns`, async () => {
    const { world, sitting } = await waiting(columns);
    await using _ = world;
    const from = sitting.bytes.length;

    for (const _piece of pieces) {
      const before = sitting.bytes.length;
      world.model.release();
      await sitting.sees(() => sitting.bytes.length > before);
    }
    world.model.releaseAll();
    await sitting.sees(/All of it was said[\s\S]* all/);

    const frames = await framesOf(sitting.bytes, { columns, rows, from });
    expect(frames.length).toBeGreaterThan(100);
    expectSteady(frames);
    const drawn = frames.map((frame) => frame.rows.length).toSorted((one, other) => one - other);
    expect(drawn[Math.floor(drawn.length / 2)]).toBeLessThanOrEqual(2);
  }, 120_000);

  test(`nothing flickers while waiting: one row is drawn, at ${columns} columns`, async () => {
    const { world, sitting } = await waiting(columns);
    await using _ = world;
    const from = sitting.bytes.length;

    await sitting.sees(() => sitting.bytes.slice(from).split("\u001B[?2026l").length > 12);

    const frames = await framesOf(sitting.bytes, { columns, rows, from });
    expectSteady(frames);
    for (const { rows: drawn, changedCells, screen } of frames) {
      expect(drawn.map((row) => screen.get(row))).toEqual([
        expect.stringMatching(/Waiting for|the rest of the answer/),
      ]);
      expect(changedCells).toBeLessThan(12);
    }
  }, 60_000);

  test(`nothing flickers while typing during an answer, at ${columns} columns`, async () => {
    const { world, sitting } = await waiting(columns);
    await using _ = world;
    const typed = "Something else";
    const from = sitting.bytes.length;

    for (const [index, key] of typed.split("").entries()) {
      world.model.release();
      await sitting.typeUntil(key, new RegExp(`^${typed.slice(0, index + 1).trim()}$`, "m"));
    }

    const frames = await framesOf(sitting.bytes, { columns, rows, from });
    expect(frames.length).toBeGreaterThanOrEqual(typed.length / 2);
    expectSteady(frames);
  }, 60_000);
}
