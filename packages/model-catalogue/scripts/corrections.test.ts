import { expect, test } from "bun:test";
import { catalogueDate } from "../src/data/date.ts";
import type { CatalogueEntry, VendorModels } from "../src/types.ts";
import { vendors } from "../src/vendors.ts";
import { correctEntry, corrections, correctionsDate } from "./corrections.ts";

const entry: CatalogueEntry = {
  contextWindow: 272_000,
  maxOutputTokens: 128_000,
  inputs: ["text"],
  reasoningEfforts: [],
  prices: null,
};

test("correctEntry replaces only the corrected facts", () => {
  const reports: string[] = [];
  const correction = { facts: { contextWindow: 1_050_000 }, page: "https://vendor.example/model" };

  const corrected = correctEntry(entry, correction, () => reports.push("not needed"));

  expect(corrected).toEqual({ ...entry, contextWindow: 1_050_000 });
  expect(reports).toEqual([]);
});

test("correctEntry reports a correction that the packages already contain", () => {
  const reports: string[] = [];

  correctEntry(entry, { facts: { contextWindow: 272_000 }, page: "https://vendor.example/model" }, () =>
    reports.push("not needed"),
  );

  expect(reports).toEqual(["not needed"]);
});

test("corrections are applied to the data, whose date is not older", () => {
  const data: Readonly<Record<string, VendorModels>> = vendors;
  for (const [vendor, models] of Object.entries(corrections))
    for (const [model, { facts }] of Object.entries(models)) expect(data[vendor]?.[model]).toMatchObject(facts);
  expect(catalogueDate >= correctionsDate).toBe(true);
});
