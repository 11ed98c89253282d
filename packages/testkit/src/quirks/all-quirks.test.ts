import { expect, test } from "bun:test";
import { allQuirks } from "./all-quirks.ts";
import { mcpQuirks } from "./mcp-quirks.ts";
import { commandQuirks } from "./command-quirks.ts";
import { lookupQuirks } from "./lookup-quirks.ts";
import { networkQuirks } from "./network-quirks.ts";
import { toolQuirks } from "./tool-quirks.ts";

test("allQuirks has unique ids", () => {
  const ids = [...allQuirks, ...toolQuirks].map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("allQuirks names sources as project#number or recorded/vendor", () => {
  const all = [...allQuirks, ...toolQuirks, ...commandQuirks, ...lookupQuirks];
  const sources = all.flatMap((quirk) => quirk.sources);

  expect(sources.filter((source) => !/^(?:[\w./-]+#\d+|recorded\/[\w-]+)$/.test(source))).toEqual([]);
});

test("allQuirks contains at least 200 reported quirks from 60 reports", () => {
  const reported = allQuirks.filter(({ sources }) => sources.length > 0);
  // They repeat for each format and count once.
  const kinds = reported.filter(
    ({ wires, id }) => !networkQuirks.some((quirk) => quirk.id === id) || wires[0] === "gemini",
  );
  const reports = new Set(reported.flatMap(({ sources }) => sources).filter((source) => source.includes("#")));

  expect(kinds.length).toBeGreaterThanOrEqual(200);
  expect(reports.size).toBeGreaterThanOrEqual(60);
});

test("mcpQuirks has unique ids and names sources as project#number", () => {
  const ids = mcpQuirks.map(({ id }) => id);
  const sources = mcpQuirks.flatMap((quirk) => quirk.sources);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(sources.filter((source) => !/^[\w./-]+#\d+$/.test(source))).toEqual([]);
  expect(mcpQuirks.length).toBeGreaterThanOrEqual(80);
  expect(new Set(sources).size).toBeGreaterThanOrEqual(40);
});
