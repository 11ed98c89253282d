import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { startService } from "../testing/start-service.ts";

test("get caches a prompt's text until another prompt replaces it", async () => {
  const memory = createMemoryStorage();
  let reads = 0;
  const storage: StorageDriver = {
    ...memory,
    async get(namespace, key) {
      if (key.startsWith("text:")) reads += 1;
      return memory.get(namespace, key);
    },
  };
  const clock = new FakeClock();
  await using started = await startService({ storage, clock });
  const { service } = started;
  await service.setTemplate("It is [system:time].");
  const first = await service.construct("one", "/work");
  reads = 0;

  const before = [await service.get("one"), await service.get("one")];
  const readsBefore = reads;
  await clock.advance(1_000);
  const second = await service.construct("one", "/work");
  reads = 0;
  const behind = [await service.get("one"), await service.get("one")];

  expect(second).not.toBe(first);
  expect({ before, behind }).toEqual({ before: [first, first], behind: [second, second] });
  expect([readsBefore, reads]).toEqual([1, 1]);
});
