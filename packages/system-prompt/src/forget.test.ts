import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { namespace, putStored, startService } from "./testing/start-service.ts";

async function stored(storage: StorageDriver): Promise<string> {
  return JSON.stringify(await storage.list(namespace, { limit: 1_000 }));
}

test("forget() deletes a conversation's prompt and the texts used only by it", async () => {
  await using started = await startService();
  await started.service.construct("first", "/secret-folder");
  await started.service.construct("second", "/another");
  const kept = await started.service.get("second");

  await started.service.forget("first");

  expect(await started.service.get("first")).toBeNull();
  expect(await started.service.explain("first")).toBeNull();
  expect(await stored(started.storage)).not.toMatch(/:first|secret-folder/);
  expect(await started.service.get("second")).toBe(kept);
  expect(await started.service.explain("second")).not.toBeNull();
});

test("forget() keeps texts until no conversation refers to them", async () => {
  await using started = await startService();
  for (const id of ["first", "second", "third"]) await started.service.construct(id, "/shared-folder");

  for (const id of ["first", "third"]) await started.service.forget(id);
  expect(await started.service.get("second")).toContain("/shared-folder");
  await started.service.forget("second");

  expect(await started.storage.list(namespace, {})).toEqual([]);
});

test("forget() deletes the texts of earlier prompts", async () => {
  await using started = await startService();
  await started.service.setTemplate("It is [system:time].");
  const texts = [];
  for (let count = 0; count < 3; count += 1) {
    texts.push(await started.service.construct("first", "/work"));
    await started.clock.advance(1_000);
  }
  expect(new Set(texts).size).toBe(3);

  await started.service.forget("first");

  const left = await stored(started.storage);
  for (const text of texts) expect(left).not.toContain(text);
});

test("forget() reads the same amount for any number of other conversations", async () => {
  const reads: number[] = [];
  for (const others of [1, 40]) {
    const memory = createMemoryStorage();
    let count = 0;
    const storage: StorageDriver = {
      ...memory,
      async list(name, range) {
        const found = await memory.list(name, range);
        count += 1 + found.length;
        return found;
      },
    };
    await using started = await startService({ storage });
    await started.service.construct("first", "/own-folder");
    for (let other = 0; other < others; other += 1)
      await started.service.construct(`other-${other}`, "/shared-folder");
    count = 0;

    await started.service.forget("first");

    reads.push(count);
    expect(await started.service.get("other-0")).toContain("/shared-folder");
    expect(await stored(memory)).not.toMatch(/:first|own-folder/);
  }
  expect(reads[1]).toBe(reads[0]);
});

test("forget() without a construction changes nothing, and is idempotent", async () => {
  await using started = await startService();
  await started.service.construct("first", "/work");
  const before = await stored(started.storage);

  await started.service.forget("nobody");
  expect(await stored(started.storage)).toBe(before);
  await started.service.forget("first");
  await started.service.forget("first");
  expect(await started.storage.list(namespace, {})).toEqual([]);
});

test("forget() deletes damaged records, and keeps texts referenced by another damaged record", async () => {
  await using started = await startService();
  for (const id of ["first", "second"]) await started.service.construct(id, "/shared-folder");
  const { sha256 } = await started.service.describe("first");
  await putStored(started.storage, "resolved:second", { sha256, broken: "yes" });
  await putStored(started.storage, "explain:first", { broken: "yes" });

  await started.service.forget("first");

  expect(await started.service.get("first")).toBeNull();
  expect((await started.storage.get(namespace, `text:${sha256}`))?.value).toContain("/shared-folder");
});

test("forget() keeps texts that another conversation starts to use concurrently", async () => {
  const memory = createMemoryStorage();
  let onSearched = async (): Promise<void> => {};
  const storage: StorageDriver = {
    ...memory,
    list: async (name, range) => {
      const found = await memory.list(name, range);
      if (range.prefix?.startsWith("uses:") === true) await onSearched();
      return found;
    },
  };
  await using started = await startService({ storage });
  await started.service.construct("first", "/shared-folder");
  // Adds a reference after the search for references.
  onSearched = async () => {
    onSearched = async () => {};
    await started.service.construct("other", "/shared-folder");
  };

  await started.service.forget("first");

  expect(await started.service.get("other")).toContain("/shared-folder");
  expect(await started.service.explain("other")).not.toBeNull();
  expect(await started.service.get("first")).toBeNull();
});
