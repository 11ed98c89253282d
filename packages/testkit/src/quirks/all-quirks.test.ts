import { expect, test } from "bun:test";
import { allQuirks } from "./all-quirks.ts";

test("allQuirks gives each quirk an id of its own", () => {
  const ids = allQuirks.map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("allQuirks names sources as project#number or recorded/vendor", () => {
  const sources = allQuirks.flatMap((quirk) => quirk.sources);

  expect(sources.filter((source) => !/^(?:[\w./-]+#\d+|recorded\/[\w-]+)$/.test(source))).toEqual([]);
});
