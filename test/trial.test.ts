import { expect, test } from "bun:test";
import { citedIds } from "./cited-ids.ts";
import { trial } from "./trial.ts";

/** The id of an attack may stand in front. */
const citation = /\btest\(\s*["`](?:\[[a-z0-9:-]+\] )*\[trial:([a-z0-9-]+)\]/g;

test("what the first newcomer stumbled over has tests, each", async () => {
  const cited = await citedIds(citation);

  expect(Object.keys(trial).filter((id) => !cited.has(id))).toEqual([]);
});

test("what tests cite of the first newcomer is in the table", async () => {
  const cited = await citedIds(citation);

  expect([...cited].filter((id) => !Object.hasOwn(trial, id))).toEqual([]);
});
