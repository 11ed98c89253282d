import type { ExportLine } from "@incipit/schema";
import { expect, test } from "bun:test";
import { collect, createWorld } from "../testing/test-world.ts";

test("exportLines() excludes later changes and ends with the number of records", async () => {
  await using world = await createWorld({ prompts: ["prompt"] });
  const { id } = await world.ask("one");
  const before = await collect(world.conversations.exportLines(id));

  const lines: ExportLine[] = [];
  for await (const line of world.conversations.exportLines(id)) {
    if (lines.length === 1) {
      await world.turn(id, "newer", { system: ["else"] });
    }
    lines.push(line);
  }

  expect(lines).toEqual([...before]);
  expect(lines.at(-1)).toEqual({ type: "end", records: lines.filter(({ type }) => type === "record").length });
  expect(await collect(world.conversations.exportLines(id))).not.toEqual([...before]);
});
