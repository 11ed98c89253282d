import { expect, test } from "bun:test";
import { normalizeReport, edgeQuirks } from "./edge-quirks.ts";

const rows = Object.values(edgeQuirks).flat();

test("edgeQuirks has 480 rows with unique ids and sources as project#number", () => {
  const sources = rows.flatMap((row) => row.sources);

  expect(rows.length).toBeGreaterThanOrEqual(480);
  for (const table of Object.values(edgeQuirks)) {
    const ids = table.flatMap(({ id }) => id ?? []);
    expect(ids).toEqual([...new Set(ids)]);
  }
  expect(sources.filter((source) => !/^[\w./-]+#\d+$/.test(source))).toEqual([]);
});

test("edgeQuirks cites 140 reports of eleven counted projects", () => {
  const reports = new Set(rows.flatMap((row) => row.sources.flatMap((source) => normalizeReport(source) ?? [])));
  const projects = new Set([...reports].map((report) => report.split(/[/#]/)[0]));

  expect(reports.size).toBeGreaterThanOrEqual(140);
  expect(projects.size).toBe(11);
});

test("normalizeReport normalizes the short and the full name of a project", () => {
  expect(["openclaw#1", "openclaw/openclaw#1"].map(normalizeReport)).toEqual(["openclaw#1", "openclaw#1"]);
  expect(["opencode#2", "anomalyco/opencode#2"].map(normalizeReport)).toEqual(["opencode#2", "opencode#2"]);
  expect(["java-sdk#3", "modelcontextprotocol/java-sdk#3"].map(normalizeReport)).toEqual([
    "modelcontextprotocol/java-sdk#3",
    "modelcontextprotocol/java-sdk#3",
  ]);
  expect(normalizeReport("pi#4")).toBeUndefined();
});
