import { clientConversationsHandle } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld, outcomeOf } from "../testing/test-world.ts";
import { FullableStorage } from "../testing/hooked-storage.ts";

const item = (number: number): { readonly id: string; readonly value: { readonly number: number } } => ({
  id: `msg_${number}`,
  value: { number },
});

test("read returns items with a version, and add rejects an outdated version", async () => {
  await using world = await createWorld();
  const service = world.service(clientConversationsHandle);
  const { id } = await service.create({ owner: "a", items: [item(1)], metadata: {} });
  const key = { id, owner: "a" };

  const { version, items } = await service.read(key);
  await service.add(key, { items: [item(2)] });
  const late = await outcomeOf(service.add(key, { items: [item(3)], version }));
  await service.add(key, { items: [item(4)], version: (await service.read(key)).version });

  expect(items).toEqual([{ number: 1 }]);
  expect(late).toMatchObject({ code: "CONVERSATION_BUSY" });
  expect((await service.read(key)).items).toEqual([{ number: 1 }, { number: 2 }, { number: 4 }]);
});

test("add keeps concurrent additions, each in order", async () => {
  await using world = await createWorld();
  const service = world.service(clientConversationsHandle);
  const { id } = await service.create({ owner: null, items: [], metadata: {} });
  const key = { id, owner: null };

  await Promise.all([1, 3, 5].map((number) => service.add(key, { items: [item(number), item(number + 1)] })));

  const { items } = await service.read(key);
  const pairs = items.flatMap((_, index) => (index % 2 === 0 ? [items.slice(index, index + 2)] : []));
  expect(pairs).toHaveLength(3);
  expect(pairs).toEqual(expect.arrayContaining([1, 3, 5].map((number) => [{ number }, { number: number + 1 }])));
});

test("add rejects more than 10,000 items or 32 MiB, and remove frees space", async () => {
  await using world = await createWorld();
  const service = world.service(clientConversationsHandle);
  const many = Array.from({ length: 10_000 }, (_, number) => item(number));
  const full = await service.create({ owner: null, items: many, metadata: {} });
  const large = { id: "msg_1", value: "x".repeat(32 * 1_048_576) };
  const heavy = await service.create({ owner: null, items: [large], metadata: {} });

  for (const { id } of [full, heavy]) {
    const key = { id, owner: null };
    expect(await outcomeOf(service.add(key, { items: [item(1)] }))).toMatchObject({
      code: "INVALID_REQUEST",
    });
    expect(await outcomeOf(service.read(key))).toMatchObject({ code: "INVALID_REQUEST" });
    await service.remove(key, "msg_1");
    await service.add(key, { items: [item(20_000)] });
  }
});

test("[never-lost] a deletion interrupted by the host's end is finished at the next start", async () => {
  const storage = createMemoryStorage();
  const namespace = "session-orchestrator/client-conversations";
  const left = async (): Promise<number> => (await storage.list(namespace, {})).length;
  const cut = new FullableStorage(({ kind, key }) => kind === "delete" && key.startsWith("item:"), storage);
  cut.isFull = true;
  {
    await using world = await createWorld({ storage: cut.driver });
    const service = world.service(clientConversationsHandle);
    const { id } = await service.create({ owner: null, items: [item(1), item(2)], metadata: {} });
    await service.delete({ id, owner: null }).catch(() => undefined);
    expect(await outcomeOf(service.get({ id, owner: null }))).toMatchObject({
      code: "CONVERSATION_UNKNOWN",
    });
  }
  expect(await left()).toBeGreaterThan(0);

  const watching = new AbortController();
  const gone = storage.watch(namespace, "deleted:", watching.signal)[Symbol.asyncIterator]().next();
  await using again = await createWorld({ storage });

  expect((await gone).value).toMatchObject({ kind: "delete" });
  watching.abort();
  expect(again.logged).not.toContain("Cannot delete the remains of deleted client conversations");
  expect(await left()).toBe(0);
});
