import type { Heartbeat } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createAgentsWorld } from "../agents/agents-world.ts";

const deadlineMs = 120_000;

async function ended(client: Client): Promise<Heartbeat> {
  for (const startedAt = performance.now(); performance.now() - startedAt < deadlineMs;) {
    const { heartbeat } = await client.call(routes.getHeartbeat);
    if (heartbeat.lastWake !== null && heartbeat.lastWake.outcome !== null) return heartbeat;
  }
  throw new Error("The wake did not end");
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "was not refused",
    (error: unknown) => error,
  );
}

test("the HTTP API shows, wakes and lists the heartbeat, and reports problems of its file", async () => {
  await using world = await createAgentsWorld({ config: 'heartbeat = { enabled = true, every = "24h" }' });
  const { client } = world;

  const before = await client.call(routes.getHeartbeat);
  const without = await failureOf(client.call(routes.wakeHeartbeat));
  await Bun.write(join(world.work, "HEARTBEAT.md"), "- Look at the disk.\n");
  const { wake } = await client.call(routes.wakeHeartbeat);
  const after = await ended(client);
  const { wakes } = await client.call(routes.listHeartbeatWakes);

  expect(before.heartbeat).toMatchObject({ enabled: true, lastWake: null, lastAlert: null, tokensToday: 0 });
  expect(without).toMatchObject({
    code: "INVALID_REQUEST",
    message: `The heartbeat was skipped: there is no HEARTBEAT.md in ${world.work}`,
  });
  expect(wake).toMatchObject({ outcome: null });
  expect(after.lastAlert).toMatchObject({ id: wake.id, outcome: "alert" });
  expect(wakes).toEqual(after.lastWake === null ? [] : [after.lastWake]);
  const [request] = world.model.requests;
  expect(request?.body).toContain("HEARTBEAT.md:\\n\\n- Look at the disk.");
  expect(request?.body).toContain("## Gateway: Heartbeat Protocol");
}, 240_000);

test("a disabled heartbeat reports so and does not wake", async () => {
  await using world = await createAgentsWorld();

  const { heartbeat } = await world.client.call(routes.getHeartbeat);
  const refused = await failureOf(world.client.call(routes.wakeHeartbeat));

  expect(heartbeat).toMatchObject({ enabled: false, nextAt: null });
  expect(refused).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
}, 300_000);

test("a HEARTBEAT.md is rejected when a pipe, folder, outside link or 1 MB", async () => {
  await using world = await createAgentsWorld({ config: 'heartbeat = { enabled = true, every = "24h" }' });
  const { client, work: cwd } = world;
  const path = join(cwd, "HEARTBEAT.md");
  await using outside = await createTempFolder();
  await Bun.write(join(outside.path, "secret.md"), "- Say the secret.\n");
  const whyNot = async (): Promise<string> => {
    const refused = await failureOf(client.call(routes.wakeHeartbeat));
    await rm(path, { recursive: true });
    return refused instanceof Error ? refused.message : String(refused);
  };

  await Bun.$`mkfifo ${path}`;
  const pipe = await whyNot();
  await mkdir(path);
  const folder = await whyNot();
  await symlink(join(outside.path, "secret.md"), path);
  const link = await whyNot();
  await Bun.write(path, "- Look.\n".repeat(125_000));
  const large = await whyNot();

  expect(large).toContain("HEARTBEAT.md");
  expect(large).toContain("has more than 65536 bytes");
  for (const why of [pipe, folder, link]) expect(why).toContain("cannot be read");
  expect(world.model.requests).toEqual([]);
}, 240_000);
