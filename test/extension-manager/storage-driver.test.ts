import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createManagerWorld, failureOf, writeExtension, type ManagerWorld } from "./manager-world.ts";

async function addDriver(world: ManagerWorld, { isBroken = false } = {}): Promise<void> {
  await writeExtension(world.path, {
    manifest: { provides: ["storage-driver@1"] },
    activate: `
      if (${isBroken}) throw new Error("No disk");
      const entries = new Map(); let version = 0;
      const all = (namespace) => [...entries.values()].filter((entry) => entry.namespace === namespace);
      host.provideService(defineHandle("storage-driver@1"), {
        get: async (namespace, key) => entries.get(namespace + "\\n" + key),
        list: async (namespace, { prefix = "", start = "", end, limit = 100, reverse = false }) => {
          const found = all(namespace).filter(({ key }) => key.startsWith(prefix) && key >= start && (end === undefined || key < end))
            .sort((a, b) => (a.key < b.key ? -1 : 1));
          return (reverse ? found.reverse() : found).slice(0, limit);
        },
        atomic: async (checks, writes) => {
          const conflict = checks.find(({ namespace, key, version: known }) => (entries.get(namespace + "\\n" + key)?.version ?? null) !== known);
          if (conflict !== undefined) return { kind: "conflict", key: conflict.key };
          version += 1;
          for (const { kind, namespace, key, value } of writes)
            if (kind === "delete") entries.delete(namespace + "\\n" + key);
            else entries.set(namespace + "\\n" + key, { namespace, key, value: structuredClone(value), version });
          return { kind: "committed", version };
        },
        watch: async function* () {},
      });`,
  });
  const body = { path: world.path, grant: { provides: ["storage-driver@1"] } };
  await world.client.call(routes.addExtension, { body });
}

async function phases(world: ManagerWorld): Promise<Readonly<Record<string, string>>> {
  const { extensions } = await world.client.call(routes.listExtensions);
  const drivers = extensions.filter(({ id }) => id === "acme.sample" || id === "storage-sqlite");
  return Object.fromEntries(drivers.map(({ id, phase }) => [id, phase]));
}

test("an added storage driver starts only once configured, and then replaces the other", async () => {
  await using world = await createManagerWorld();
  await addDriver(world);
  expect(await phases(world)).toEqual({ "storage-sqlite": "active", "acme.sample": "stopped" });
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });

  await world.restart('storage.use = "acme.sample"');

  expect(await phases(world)).toEqual({ "storage-sqlite": "stopped", "acme.sample": "active" });
  expect((await world.client.call(routes.listConversations)).conversations).toEqual([]);
  const { conversation: own } = await world.client.call(routes.createConversation, { body: {} });
  expect((await world.client.call(routes.listConversations)).conversations).toMatchObject([{ id: own.id }]);

  await world.restart();
  expect(await phases(world)).toEqual({ "storage-sqlite": "active", "acme.sample": "stopped" });
  expect((await world.client.call(routes.listConversations)).conversations).toMatchObject([
    { id: conversation.id },
  ]);
});

test("a host whose configured storage driver fails exits with the reason", async () => {
  await using world = await createManagerWorld();
  await addDriver(world, { isBroken: true });

  const failure = await failureOf(world.restart('storage.use = "acme.sample"'));

  expect(failure).toMatchObject({ name: "HostStartError", message: expect.stringContaining("No disk") });
  await world.restart();
  expect(await phases(world)).toMatchObject({ "storage-sqlite": "active" });
});
