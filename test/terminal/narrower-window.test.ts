import { expect, test } from "bun:test";
import { newTerminalWorld } from "./terminal-world.ts";

test("[trial:resize] in an xterm.js terminal narrowing the window shows one editor and all text", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open({ columns: 80, rows: 24 });
  await sitting.enterUntil("Hello there, this is a question of some words", /Reply 1[\s\S]* all/);
  await sitting.typeUntil("some words that are written here", "written here");
  const widths = [60, 50, 30, 79, 80, 120, 40, 41, 39, 38, 37, 160, 20, 50];

  for (const width of widths) {
    sitting.resize(width, 24);
    // Until redrawn; earlier output still has the old width.
    await sitting.sees(() => {
      const borders = sitting.rows().filter((row) => /^─+$/.test(row));
      return borders.map((row) => row.length).join() === `${width},${width}`;
    });

    const said = sitting.everything().replaceAll(/\s/g, ""); // Wrapped rows lack the space at the break.
    for (const text of ["/help shows commands and keys", "question of some words", "Reply 1", "written here"])
      expect([width, text, said.split(text.replaceAll(" ", "")).length - 1]).toEqual([width, text, 1]);
  }
}, 60_000);
