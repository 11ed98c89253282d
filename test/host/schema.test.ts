import type { ConversationId } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, messagesResponseSchema, routes, stepsResponseSchema } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { followed } from "../support/acknowledged.ts";
import { HostProcess, incipit, type HostProcessOptions } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";

/**
 * Version 1 after a kill: a conversation of two epochs with tool calls, a failed turn, an interrupted one and a
 * queued one; and an empty conversation.
 */
const firstVersion = join(import.meta.dir, "../fixtures/version-1.db");

interface World extends AsyncDisposable {
  readonly options: HostProcessOptions;
  readonly database: string;
  readonly model: RecordingModelServer;
}

async function createWorld(): Promise<World> {
  const folder = await createTempFolder();
  const model = await startRecordingModelServer();
  const data = join(folder.path, "data");
  const config = join(folder.path, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\nfamily = "openai"\n`, // Matches the requests in the database.
  );
  await mkdir(data, { mode: 0o700 });
  await copyFile(firstVersion, join(data, "incipit.db"));
  return {
    options: { data, config, cwd: folder.path },
    database: join(data, "incipit.db"),
    model,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function backups({ options }: World): Promise<readonly string[]> {
  return (await readdir(options.data))
    .filter((name) => name.includes(".backup-"))
    .map((name) => join(options.data, name));
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
  await using world = await createWorld();
  const before = history(firstVersion);
  let id: ConversationId | undefined;
  {
    await using host = await HostProcess.start(world.options);
    const client = createClient({ url: host.url, token: host.token });
    const { conversations } = await client.call(routes.listConversations, { query: { limit: 10 } });
    id = conversations.find(({ title }) => title === "Two epochs")?.id;
    if (id === undefined) throw new Error("The conversation is gone");
    const ended: string[] = [];
    for await (const event of followed(client, id)) {
      if (event.type === "turn-end") ended.push(event.status);
      if (ended.length === 6) break;
    }
    expect(ended).toEqual(["completed", "completed", "completed", "failed", "interrupted", "completed"]);
    const events = await host.turn(id, { input: "And on" });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    const { messages } = messagesResponseSchema.parse(await host.json(`/conversations/${id}/messages`));
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
    const { steps } = stepsResponseSchema.parse(await host.json(`/conversations/${id}/steps`));
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
  const copies = await backups(world);
  expect(copies).toHaveLength(1);
  expect((await stat(copies[0] ?? "")).mode & 0o777).toBe(0o600);
  expect(entries(copies[0] ?? "")).toEqual(entries(firstVersion));
  expect(history(world.database).slice(0, 1)).toEqual(before.slice(0, 1));
  for (const row of before) expect(history(world.database)).toContainEqual(row);
  expect(idsBehind(world.database, "index:archived:false:")).toEqual(idsBehind(world.database, "conversation:"));

  await using again = await HostProcess.start(world.options);
  const client = createClient({ url: again.url, token: again.token });
  expect(await client.call(routes.getHealth)).toMatchObject({ status: "ok", problems: [] });
  expect(await backups(world)).toEqual(copies);
}, 300_000);

test("[set-aside] a host rejects a database of a newer version, names it, and changes nothing", async () => {
  await using world = await createWorld();
  {
    using database = new Database(world.database);
    database.run(
      `INSERT INTO entries VALUES ('session-orchestrator/conversations', 'schema', '{"version":99,"writtenBy":"9.0.0"}', 1000)`,
    );
  }
  const before = entries(world.database);
  const { data, config, cwd } = world.options;
  const refused = await incipit(["serve", "--port", "0", "--data", data, "--config", config], { cwd, home: cwd });

  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("9.0.0 (schema 99)");
  expect(entries(world.database)).toEqual(before);
  expect(await backups(world)).toEqual([]);
}, 300_000);
