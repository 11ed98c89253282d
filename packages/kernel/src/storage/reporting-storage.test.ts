import { expect, test } from "bun:test";
import { reportingStorage } from "./reporting-storage.ts";
import { createStorageClient } from "./storage-client.ts";
import { memoryDriver } from "../testing/memory-driver.ts";

const texts = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) => (typeof value === "string" ? { value } : { issues: [{ message: "is no text" }] }),
  },
} as const;

test("reportingStorage reports entries skipped by list and entries, and returns the rest", async () => {
  const driver = memoryDriver();
  const { signal } = new AbortController();
  const options = { extension: "acme.notes", grant: true, host: {}, driver: () => driver, signal } as const;
  const [refused, invalid]: [unknown[], string[]] = [[], []];
  const storage = reportingStorage(
    () => createStorageClient("a", options),
    (error) => refused.push(error),
  );
  await storage.set("bad", 1);
  await storage.set("good", "text");

  const listed = await storage.list({ onInvalid: (key) => invalid.push(key) }, texts);

  const entries = await Array.fromAsync(storage.entries("", texts, { onInvalid: (key) => invalid.push(key) }));
  await Array.fromAsync(storage.entries("", texts)).catch(() => undefined);

  expect([listed, entries].map((found) => found.map(({ key }) => key))).toEqual([["good"], ["good"]]);
  expect(invalid).toEqual(["bad", "bad"]);
  const damage = { code: "STORED_VALUE_INVALID" };
  expect(refused).toMatchObject([damage, damage, damage]);
});
