import { expect, test } from "bun:test";
import { notedStorage } from "./noted-storage.ts";
import { createStorageClient } from "./storage-client.ts";
import { memoryDriver } from "../testing/memory-driver.ts";

const texts = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) => (typeof value === "string" ? { value } : { issues: [{ message: "is no text" }] }),
  },
} as const;

test("notedStorage tells what is left out of a list, and gives the rest", async () => {
  const driver = memoryDriver();
  const { signal } = new AbortController();
  const options = { extension: "acme.notes", grant: true, host: {}, driver: () => driver, signal } as const;
  const [refused, invalid]: [unknown[], string[]] = [[], []];
  const storage = notedStorage(
    () => createStorageClient("a", options),
    (error) => refused.push(error),
  );
  await storage.set("bad", 1);
  await storage.set("good", "text");

  const listed = await storage.list({ onInvalid: (key) => invalid.push(key) }, texts);

  expect(listed.map(({ key, value }) => [key, value])).toEqual([["good", "text"]]);
  expect(invalid).toEqual(["bad"]);
  expect(refused).toMatchObject([{ code: "STORED_VALUE_INVALID" }]);
});
