import { expect, test } from "bun:test";
import { newTerminalWorld } from "./terminal-world.ts";

/** The emulator is xterm.js, as is the terminal of VS Code. */
const env = { TERM_PROGRAM: "vscode" };

test("[trial:resize] in VS Code a window that changes its width shows the editor once, and all of what was said", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit({ columns: 80, rows: 24, env });
  await sitting.sees("local/test");
  sitting.enter("Hello there, this is a question of some words");
  await sitting.sees(/Reply 1[\s\S]* all/);
  sitting.type("some words that are written here");
  await sitting.sees("written here");
  const widths = [60, 50, 30, 79, 80, 120, 40, 41, 39, 38, 37, 160, 20, 50];

  for (const width of widths) {
    const before = sitting.bytes.length;
    sitting.resize(width, 24);
    await sitting.sees(() => sitting.bytes.slice(before).includes("\u001B[?2026l"));
    const rows = sitting.rows();

    expect([width, rows.filter((row) => /^─+$/.test(row)).map((row) => row.length)]).toEqual([
      width,
      [width, width],
    ]);
    const said = sitting.everything().replaceAll(/\s/g, ""); // A row ends without the space at which it was wrapped.
    for (const text of ["/help shows commands and keys", "question of some words", "Reply 1", "written here"])
      expect([width, text, said.split(text.replaceAll(" ", "")).length - 1]).toEqual([width, text, 1]);
  }
}, 60_000);
