import { routes } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { eventsUntil } from "../support/acknowledged.ts";
import { prefixOf } from "../support/request-body.ts";
import { World } from "../support/world.ts";

/**
 * Version 1 after a kill: a conversation of two epochs with tool calls, a failed turn, an interrupted one and a
 * queued one; and an empty conversation.
 */
const firstVersion = join(import.meta.dir, "../fixtures/version-1.db");

class OldWorld extends World {
  readonly database = join(this.data, "incipit.db");

  static async begin(): Promise<OldWorld> {
    const world = await OldWorld.start({ config: 'providers.local.family = "openai"' }); // As in the database.
    await mkdir(world.data, { mode: 0o700, recursive: true });
    await copyFile(firstVersion, world.database);
    return world;
  }

  async backups(): Promise<readonly string[]> {
    const names = await readdir(this.data);
    return names.filter((name) => name.includes(".backup-")).map((name) => join(this.data, name));
  }
}

function entries(path: string): readonly unknown[] {
  using database = new Database(path, { readonly: true });
  return database.query("SELECT namespace, key, value FROM entries ORDER BY namespace, key").values();
}

function history(path: string): readonly unknown[] {
  return entries(path).filter((row) => /^\["session-orchestrator.*","(message|event):/.test(JSON.stringify(row)));
}

function idsBehind(path: string, prefix: string): readonly string[] {
  using database = new Database(path, { readonly: true });
  const rows = database.query("SELECT key FROM entries WHERE namespace LIKE 'session-orchestrator/%' ORDER BY key");
  const keys = rows.values().map(([key]) => String(key));
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

test("[never-lost] a host migrates a version 1 database after a backup and continues byte for byte", async () => {
  await using world = await OldWorld.begin();
  const before = history(firstVersion);
  {
    await using host = await world.host();
    const { client } = host;
    const { conversations } = await client.call(routes.listConversations, { query: { limit: 10 } });
    const id = conversations.find(({ title }) => title === "Two epochs")?.id;
    if (id === undefined) throw new Error("The conversation is gone");
    const ended = (await eventsUntil(host, id, 6)).flatMap((event) =>
      event.type === "turn-end" ? [event.status] : [],
    );
    expect(ended).toEqual(["completed", "completed", "completed", "failed", "interrupted", "completed"]);
    const events = await host.turn(id, { input: "And on" });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    const { messages } = await client.call(routes.listMessages, { params: { id } });
    expect(messages.filter(({ role }) => role === "user").map(({ parts, epoch }) => [epoch, parts])).toMatchObject([
      [1, [{ text: "What is here?" }]],
      [1, [{ text: "And more?" }]],
      [2, [{ text: "Summary of the conversation so far:\n\nThey looked at the folder." }]],
      [2, [{ text: "Read it again" }]],
      [2, [{ text: "This fails" }]],
      [2, [{ text: "Cut off" }]],
      [2, [{ text: "Queued" }]],
      [2, [{ text: "And on" }]],
    ]);
    const { steps } = await client.call(routes.listSteps, { params: { id } });
    const bodies: string[] = [];
    for (const step of steps.filter(({ epoch, purpose }) => epoch === 2 && purpose === "turn"))
      bodies.push((await client.call(routes.getStepRequest, { params: { id, stepId: step.id } })).body);
    expect(bodies).toHaveLength(6);
    for (const [index, body] of bodies.slice(1).entries()) expect(body).toStartWith(prefixOf(bodies[index] ?? ""));
    // The index is filled in the background and may be interrupted by the end of the host.
    while (
      idsBehind(world.database, "index:archived:false:").length < idsBehind(world.database, "conversation:").length
    )
      await new Promise((resolve) => setImmediate(resolve));
    await host.kill("SIGTERM");
  }
  const copies = await world.backups();
  expect(copies).toHaveLength(1);
  expect((await stat(copies[0] ?? "")).mode & 0o777).toBe(0o600);
  expect(entries(copies[0] ?? "")).toEqual(entries(firstVersion));
  expect(history(world.database).slice(0, 1)).toEqual(before.slice(0, 1));
  for (const row of before) expect(history(world.database)).toContainEqual(row);
  expect(idsBehind(world.database, "index:archived:false:")).toEqual(idsBehind(world.database, "conversation:"));

  const again = await world.host();
  expect(await again.client.call(routes.getHealth)).toMatchObject({ status: "ok", problems: [] });
  expect(await world.backups()).toEqual(copies);
}, 300_000);

test("[set-aside] a host rejects a database of a newer version, names it, and changes nothing", async () => {
  await using world = await OldWorld.begin();
  {
    using database = new Database(world.database);
    database.run(
      `INSERT INTO entries VALUES ('session-orchestrator/conversations', 'schema', '{"version":99,"writtenBy":"9.0.0"}', 1000)`,
    );
  }
  const before = entries(world.database);
  const refused = await world.run(["serve", "--port", "0"]);

  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("9.0.0 (schema 99)");
  expect(entries(world.database)).toEqual(before);
  expect(await world.backups()).toEqual([]);
}, 300_000);
