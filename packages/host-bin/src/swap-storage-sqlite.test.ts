import { defineExtension, type Extension, type Storage } from "@incipit/kernel";
import storageSqlite from "@incipit/storage-sqlite";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { collect, HostWorld, until } from "./testing/host-world.ts";

const id = "storage-sqlite";
const writerCount = 200;

interface Writers {
  readonly extension: Extension;
  storage(): Storage;
}

function createWriters(): Writers {
  let newest: Storage | undefined;
  return {
    extension: defineExtension(
      { id: "acme.writers", version: "1.0.0", api: "^1", capabilities: { storage: true } },
      (host) => {
        newest = host.storage("numbers");
      },
    ),
    storage() {
      if (newest === undefined) throw new Error("It was never started");
      return newest;
    },
  };
}

const brokenOnceOpen: Extension = {
  manifest: { ...storageSqlite.manifest, version: "9.9.9" },
  async activate(host) {
    await storageSqlite.activate(host);
    throw new Error("This version does not start");
  },
};

function key(writer: number, count: number): string {
  return `${String(writer).padStart(3, "0")}/${String(count).padStart(6, "0")}`;
}

async function write(storage: Storage, writer: number, isOver: () => boolean): Promise<number> {
  let acknowledged = 0;
  for (; acknowledged === 0 || !isOver(); acknowledged += 1) {
    await Promise.all([
      storage.set(key(writer, acknowledged), acknowledged),
      storage.set(`last/${writer}`, -1),
      storage.set(`last/${writer}`, acknowledged),
    ]);
  }
  return acknowledged;
}

async function versionsOf(storage: Storage, writer: number): Promise<readonly number[]> {
  const versions: number[] = [];
  for (let start = key(writer, 0); ;) {
    const page = await storage.list({ start, end: `${key(writer, 999_999)}~`, limit: 1_000 }, z.number());
    versions.push(...page.map(({ version }) => version));
    const last = page.at(-1);
    if (last === undefined || page.length < 1_000) return versions;
    start = `${last.key} `;
  }
}

for (const [name, next, outcome] of [
  ["each version starts", undefined, "swapped"],
  ["a new version fails once it has the file", { extension: brokenOnceOpen }, "restored-old"],
] as const) {
  test(`[swap-loses-nothing] storage-sqlite swapped under ${writerCount} writers keeps all in order, and ${name}`, async () => {
    const writers = createWriters();
    await using world = await HostWorld.start({ extensions: () => [writers.extension] });
    const storage = writers.storage();
    let isOver = false;
    const writing = Array.from({ length: writerCount }, (_, writer) => write(storage, writer, () => isOver));

    const outcomes: string[] = [];
    let cut = 0;
    for (let count = 0; count < 5; count += 1) {
      const report = await world.host.kernel.swap(id, next);
      outcomes.push(report.outcome);
      cut += report.cut;
      const before = await storage.get("last/0", z.number());
      await until(async () => (await storage.get("last/0", z.number())) !== before);
    }
    isOver = true;
    const acknowledged = await Promise.all(writing);

    expect(outcomes).toEqual(Array.from({ length: 5 }, () => outcome));
    expect(cut).toBe(0);
    expect(world.health(id)).toMatchObject({ phase: "active", generation: outcome === "swapped" ? 6 : 11 });
    for (const [writer, count] of acknowledged.entries()) {
      const versions = await versionsOf(storage, writer);
      expect(versions).toHaveLength(count);
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      expect(await storage.get(`last/${writer}`, z.number())).toBe(count - 1);
    }
  }, 300_000);
}

test("[swap-loses-nothing] a swap of storage-sqlite ends watchers without delay, so that they reconnect", async () => {
  const writers = createWriters();
  await using world = await HostWorld.start({ extensions: () => [writers.extension] });
  const storage = writers.storage();
  const leave = new AbortController();
  const first = Array.fromAsync(storage.watch("a", leave.signal));
  await storage.set("a1", 1);

  const report = await world.host.kernel.swap(id);
  const seen = await first;
  const second = storage.watch("a", leave.signal)[Symbol.asyncIterator]();
  const change = second.next();
  await storage.set("a2", 2);

  expect(report).toMatchObject({ outcome: "swapped", cut: 0 });
  expect(seen).toMatchObject([{ kind: "set", key: "a1" }]);
  expect(await change).toMatchObject({ value: { kind: "set", key: "a2" } });
  await second.return?.();
});

test("[swap-loses-nothing] without a working storage-sqlite, writers fail, dependents wait, and load restores all", async () => {
  const writers = createWriters();
  await using world = await HostWorld.start({ extensions: () => [writers.extension] });
  const { host, client, model } = world;
  let isBroken = false;
  const flaky: Extension = {
    manifest: storageSqlite.manifest,
    activate: (own) => {
      if (isBroken) throw new Error("The disk is gone");
      return storageSqlite.activate(own);
    },
  };
  await host.kernel.swap(id, { extension: flaky });
  const conversation = await world.createConversation();
  model.enqueue({ kind: "text", chunks: ["one ", "two"], gate: true });
  const turn = collect(client.sendTurn(conversation, { input: "first" }));
  await turn.has("step-start");
  const storage = writers.storage();
  await storage.set("before", 1);
  isBroken = true;
  const gate = Promise.withResolvers<never>();

  const swap = host.kernel.swap(id, {
    extension: { manifest: storageSqlite.manifest, activate: () => gate.promise },
  });
  await until(() => world.health(id).phase === "starting");
  const held = storage.set("meanwhile", 1).catch((error: unknown) => error);
  gate.reject(new Error("This version does not start"));
  const report = await swap;
  const template = await client
    .call(routes.setSystemPrompt, { body: { template: "x" } })
    .catch((error: unknown) => error);
  const health = await client.call(routes.getHealth);
  await turn.ended;
  isBroken = false;
  const { extension } = await client.call(routes.loadExtension, { params: { id } });

  expect(await held).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(report).toMatchObject({ outcome: "failed", cut: 0 });
  expect(template).toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503 });
  expect(health.status).toBe("degraded");
  expect(health.problems.join("\n")).toContain('"session-orchestrator" waits for storage-driver@1');
  expect(extension.phase).toBe("active");
  const inactive = host.kernel.list().filter(({ phase }) => phase !== "active");
  expect(inactive.map(({ id }) => id)).toEqual(["workspace-tools", "subagents"]);
  expect(await client.call(routes.getHealth)).toMatchObject({ status: "ok", problems: [] });
  expect(await writers.storage().get("before", z.number())).toBe(1);
  expect(await writers.storage().get("meanwhile", z.number())).toBeUndefined();
  const rest = collect(client.followEvents(conversation, { afterSeq: turn.events.at(-1)?.seq ?? 0 }));
  await rest.has("turn-end");
  expect([...turn.events, ...rest.events].filter(({ type }) => type === "turn-end")).toMatchObject([
    { status: "interrupted" },
  ]);
  const second = await collect(client.sendTurn(conversation, { input: "second" })).ended;
  expect(second.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});
