import { expect, test } from "bun:test";
import * as z from "zod";
import type { Storage } from "../contract/storage.ts";
import { memoryDriver } from "../testing/memory-driver.ts";
import { createStorageClient } from "./storage-client.ts";

function newStorage(): Storage {
  const driver = memoryDriver();
  const { signal } = new AbortController();
  return createStorageClient("a", { extension: "acme.notes", grant: true, host: {}, driver: () => driver, signal });
}

test("entries yields everything below a prefix, across pages that end with damaged records", async () => {
  const storage = newStorage();
  const numbers = Array.from({ length: 500 }, (_, index) => `n/${String(index).padStart(4, "0")}`);
  const isDamaged = (key: string): boolean => key === "n/0199" || key === "n/0399";
  await storage.atomic(
    [],
    ["m", "n", "n0", "n~", "o", "n/\u{10FFFE}", ...numbers].map((key) => ({
      kind: "set",
      key,
      value: isDamaged(key) ? "not a number" : 1,
    })),
  );
  const damaged: string[] = [];

  const found = await Array.fromAsync(
    storage.entries("n/", z.number(), { onInvalid: (key) => damaged.push(key) }),
    ({ key }) => key,
  );
  const refused = await Array.fromAsync(storage.entries("n/", z.number())).catch((error: unknown) => error);

  expect(found).toEqual([...numbers.filter((key) => !isDamaged(key)), "n/\u{10FFFE}"]);
  expect(damaged).toEqual(["n/0199", "n/0399"]);
  expect(refused).toMatchObject({ code: "STORED_VALUE_INVALID" });
});
