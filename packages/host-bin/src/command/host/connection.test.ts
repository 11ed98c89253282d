import { DataFolder } from "@incipit/host/data-folder";
import { createTempFolder } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { connect } from "./connection.ts";
import type { HostStart } from "../registry/host-access.ts";

async function startIn(folder: string): Promise<HostStart> {
  const loaded = loadConfig({ cwd: folder, env: { HOME: folder }, named: [], flags: {} });
  return {
    dataFolder: join(folder, "data"),
    userFolder: folder,
    isUnconfigured: true,
    offered: [],
    config: async () => loaded.config(),
  };
}

test("a command continues after the command that hosted its host has ended", async () => {
  await using folder = await createTempFolder();
  const start = await startIn(folder.path);
  const options = { cwd: folder.path, err: () => {} };
  const one = await connect(start, options);
  await using other = await connect(start, options);
  const before = other.isInside;
  const { conversation } = await other.client.call(routes.createConversation, { body: {} });
  await one[Symbol.asyncDispose]();

  const asked = await Promise.all([
    other.client.call(routes.getConversation, { params: { id: conversation.id } }),
    other.client.call(routes.listConversations),
  ]);

  expect([one.isInside, before, other.isInside]).toEqual([true, false, true]);
  expect(asked[0].conversation.id).toBe(conversation.id);
  expect(asked[1].conversations).toHaveLength(1);
});

async function endingHost(path: string): Promise<{
  readonly start: HostStart;
  readonly folder: DataFolder;
  readonly listener: Bun.TCPSocketListener<undefined>;
  readonly onConnection: { run: () => void };
}> {
  const start = await startIn(path);
  const onConnection = { run: () => {} };
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => {
        socket.terminate();
        onConnection.run();
      },
      data: () => {},
    },
  });
  const folder = DataFolder.open(start.dataFolder);
  folder.announce(`http://127.0.0.1:${listener.port}`, 0);
  return { start, folder, listener, onConnection };
}

test("an idempotent request that an ending host aborted is retried on its successor", async () => {
  await using temp = await createTempFolder();
  const { start, folder, listener, onConnection } = await endingHost(temp.path);
  await using other = await connect(start, { cwd: temp.path, err: () => {} });
  folder.retract();

  const created = other.client.call(routes.createConversation, { body: {} });
  expect(await created.catch((error: unknown) => error)).toMatchObject({ code: "UNREACHABLE" });
  onConnection.run = () => folder[Symbol.dispose]();
  const { conversations } = await other.client.call(routes.listConversations);

  listener.stop(true);
  expect([conversations, other.isInside]).toEqual([[], true]);
});

test("a request that an ending host rejects is retried on its successor", async () => {
  await using temp = await createTempFolder();
  const { start, folder, listener } = await endingHost(temp.path);
  listener.stop(true);
  await using other = await connect(start, { cwd: temp.path, err: () => {} });
  folder.retract();
  using looks = spyOn(DataFolder, "look");

  const created = other.client.call(routes.createConversation, { body: {} });
  while (looks.mock.calls.length < 4) await new Promise((resolve) => setImmediate(resolve));
  folder[Symbol.dispose]();

  expect((await created).conversation.id).toBeString();
  expect(other.isInside).toBe(true);
});

test("an aborted caller stops waiting for a successor, and the others get its response", async () => {
  await using temp = await createTempFolder();
  const { start, folder, listener } = await endingHost(temp.path);
  listener.stop(true);
  await using other = await connect(start, { cwd: temp.path, err: () => {} });
  folder.retract();
  using looks = spyOn(DataFolder, "look");
  const [leaving, gone] = [new AbortController(), AbortSignal.abort("was gone before")];
  const kept = other.client.call(routes.listConversations);
  const left = other.client.call(routes.listConversations, { signal: leaving.signal });
  const ends = Promise.allSettled([left, other.client.call(routes.listConversations, { signal: gone })]);
  while (looks.mock.calls.length < 8) await new Promise((resolve) => setImmediate(resolve));

  leaving.abort("nobody wants it");
  const settled = await ends;
  const isHeldStill = DataFolder.look(start.dataFolder).kind === "held";
  folder[Symbol.dispose]();

  expect(settled).toEqual([
    { status: "rejected", reason: "nobody wants it" },
    { status: "rejected", reason: "was gone before" },
  ]);
  expect(isHeldStill).toBe(true);
  expect((await kept).conversations).toEqual([]);
  expect(other.isInside).toBe(true);
});

test("a closed connection does not look for a successor", async () => {
  await using temp = await createTempFolder();
  const { start, folder, listener } = await endingHost(temp.path);
  using _held = folder;
  listener.stop(true);
  const other = await connect(start, { cwd: temp.path, err: () => {} });
  folder.retract();
  using looks = spyOn(DataFolder, "look");
  const leaving = new AbortController();
  const left = other.client.call(routes.listConversations, { signal: leaving.signal });
  while (looks.mock.calls.length < 4) await new Promise((resolve) => setImmediate(resolve));
  leaving.abort("nobody wants it");
  await left.catch(() => undefined);

  await other[Symbol.asyncDispose]();
  const count = looks.mock.calls.length;
  await Bun.sleep(100);

  expect(looks.mock.calls.length - count).toBe(0);
  expect(count).toBeLessThan(100);
});
