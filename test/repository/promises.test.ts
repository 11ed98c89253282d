import { expect, test } from "bun:test";
import { join } from "node:path";
import { citedIds } from "./cited-ids.ts";

const tables = await Bun.file(join(import.meta.dir, "promises.md")).text();
const ids = [...tables.matchAll(/^\| `([a-z0-9:-]+)` \|/gm)].map(([, id = ""]) => id);

const promiseCitation = /\b(?:test|pageTest)\(\s*["`]\[([a-z-]+)\]/g;
const trialCitation = /\b(?:test|pageTest)\(\s*["`](?:\[[a-z0-9:-]+\] )*\[(trial:[a-z0-9-]+)\]/g;

test("promises, and problems of the first new users, are in the tables once, and each has a test", async () => {
  const cited = await citedIds(promiseCitation, trialCitation);

  expect(ids.length).toBeGreaterThan(50);
  expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  expect([...cited].toSorted()).toEqual(ids.toSorted());
});
