import { expect, test } from "bun:test";
import { discordMessageQuirks } from "./discord-message-quirks.ts";
import { frontMatterQuirks } from "./front-matter-quirks.ts";
import { replyQuirks, taskFileQuirks } from "./heartbeat-quirks.ts";
import { mediaLineQuirks } from "./media-line-quirks.ts";
import type { Reported } from "./reported.ts";
import { splitQuirks } from "./split-quirks.ts";
import { telegramUpdateQuirks } from "./telegram-update-quirks.ts";

const tables: readonly (readonly Reported[])[] = [
  discordMessageQuirks,
  frontMatterQuirks,
  mediaLineQuirks,
  replyQuirks,
  splitQuirks,
  taskFileQuirks,
  telegramUpdateQuirks,
];

test("each table of reported inputs has unique ids and sources as project#number", () => {
  for (const table of tables) {
    const ids = table.map(({ id }) => id);

    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(table.flatMap(({ sources }) => sources).filter((source) => !/^[\w./-]+#\d+$/.test(source))).toEqual([]);
  }
});

test("the tables of chats and agent files have 165 inputs from 50 reports", () => {
  const rows = tables.flat();

  expect(rows.length).toBeGreaterThanOrEqual(165);
  expect(new Set(rows.flatMap(({ sources }) => sources)).size).toBeGreaterThanOrEqual(50);
});
