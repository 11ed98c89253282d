import { expect, test } from "bun:test";
import { citedIds } from "./cited-ids.ts";
import { promises } from "./promises.ts";

const citation = /\btest\(\s*"\[([a-z-]+)\]/g;

test("promises each have a test that cites them", async () => {
  const cited = await citedIds(citation);

  const untested = Object.keys(promises).filter((id) => !cited.has(id));

  expect(untested).toEqual([]);
});

test("promises that tests cite exist", async () => {
  const cited = await citedIds(citation);

  const unknown = [...cited].filter((id) => !Object.hasOwn(promises, id));

  expect(unknown).toEqual([]);
});
