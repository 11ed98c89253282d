import { expect, test } from "bun:test";
import catalogue from "../src/catalogue.json";
import { correctEntry, corrections, correctionsDate, type CatalogueEntry } from "./corrections.ts";

const entry: CatalogueEntry = {
  contextWindow: 272_000,
  maxOutputTokens: 128_000,
  inputs: ["text"],
  reasoningEfforts: [],
  prices: null,
};

const page = "https://vendor.example/model";

for (const [name, contextWindow, reported] of [
  ["replaces only the corrected facts", 1_050_000, []],
  ["reports a correction that the packages already contain", 272_000, ["not needed"]],
] as const)
  test(`correctEntry ${name}`, () => {
    const reports: string[] = [];

    const corrected = correctEntry(entry, { facts: { contextWindow }, page }, () => reports.push("not needed"));

    expect(corrected).toEqual({ ...entry, contextWindow });
    expect(reports).toEqual([...reported]);
  });

test("corrections are applied to the data, whose date is not older", () => {
  const data: Readonly<Record<string, Readonly<Record<string, object>>>> = catalogue.vendors;
  for (const [vendor, models] of Object.entries(corrections))
    for (const [model, { facts }] of Object.entries(models)) expect(data[vendor]?.[model]).toMatchObject(facts);
  expect(catalogue.date >= correctionsDate).toBe(true);
});
