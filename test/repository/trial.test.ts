import { expect, test } from "bun:test";
import { citedIds } from "./cited-ids.ts";
import { trial } from "./trial.ts";

const citation = /\btest\(\s*["`](?:\[[a-z0-9:-]+\] )*\[trial:([a-z0-9-]+)\]/g;

test("each problem of the first newcomer has a test", async () => {
  const cited = await citedIds(citation);

  expect(Object.keys(trial).filter((id) => !cited.has(id))).toEqual([]);
});

test("problems of the first newcomer that tests cite are in the table", async () => {
  const cited = await citedIds(citation);

  expect([...cited].filter((id) => !Object.hasOwn(trial, id))).toEqual([]);
});
