import { exportLineSchema, turnEventSchema, type ConversationId, type ExportLine } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { HostProcess } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";
import { World } from "../support/world.ts";

class Archives extends World {
  static begin(): Promise<Archives> {
    return Archives.start({
      config: 'system_prompt = "[system:time] [file:AGENTS.md]"\ntools.workspace = true',
      files: { "AGENTS.md": "be brief" },
    });
  }

  dataOf(name: string): string {
    return join(this.home, name, "data");
  }

  hostOf(name: string): Promise<HostProcess> {
    return this.host({ data: this.dataOf(name) });
  }
}

async function live({ model }: World, host: HostProcess): Promise<ConversationId> {
  const { client } = host;
  const { id } = await host.createConversation({ title: "Rich \u{1F9A6}" });
  const params = { id };
  model.enqueueCall("write_file", { path: "new.txt", content: "\u0000 and \u2028" });
  for await (const event of client.sendTurn(id, { input: "one" })) {
    if (event.type !== "approval-request") continue;
    const { approvalId } = event;
    await client.call(routes.answerApproval, { params: { id, approvalId }, body: { decision: "allow-always" } });
  }
  model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"no"}}' });
  await host.turn(id, { input: "two" });
  await client.call(routes.compactConversation, { params });
  const headers = { "idempotency-key": "key" };
  await (await host.fetch(`/conversations/${id}/turns`, { body: { input: "three" }, headers })).text();
  return id;
}

async function exported(client: Client, id: ConversationId): Promise<string> {
  return new Response(await client.exportConversation(id)).text();
}

function linesOf(text: string): readonly ExportLine[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => exportLineSchema.parse(JSON.parse(line)));
}

function toText(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function keysOf(data: string, id: string): readonly string[] {
  using database = new Database(join(data, "incipit.db"), { readonly: true });
  const rows = database.query("select key from entries where key like ?").all(`%${id}%`);
  return z
    .array(z.object({ key: z.string() }))
    .parse(rows)
    .map(({ key }) => key);
}

test("an import exports the same bytes, and its next request extends the previous ones", async () => {
  await using world = await Archives.begin();
  const source = await world.hostOf("source");
  const plain = await source.createConversation();
  const id = await live(world, source);
  const last = world.lastBody;
  const { conversation: fork } = await source.client.call(routes.forkConversation, { params: { id }, body: {} });
  const target = await world.hostOf("target");

  for (const each of [plain.id, id, fork.id]) {
    const text = await exported(source.client, each);
    const conversation = await target.client.importConversation(new Blob([text]));
    const { conversation: original } = await source.client.call(routes.getConversation, { params: { id: each } });
    expect(conversation).toEqual({ ...original, importedAt: expect.any(String) });
    expect(await exported(target.client, each)).toBe(text);
  }

  await world.write("AGENTS.md", "be long");
  await target.turn(id, { input: "four" });
  expect(world.lastBody).toStartWith(prefixOf(last));
  await target.turn(fork.id, { input: "vier" });
  expect(world.lastBody).toStartWith(prefixOf(last));
  const { steps } = await target.client.call(routes.listSteps, { params: { id } });
  expect(steps.at(-1)).toMatchObject({ firstDifference: null });
});

test("an export has the full history and nothing that grants or runs anything", async () => {
  await using world = await Archives.begin();
  const source = await world.hostOf("source");
  const id = await live(world, source);

  const lines = linesOf(await exported(source.client, id));
  await source.kill("SIGTERM");

  expect(lines.at(-1)).toEqual({ type: "end", records: lines.filter(({ type }) => type === "record").length });
  // The last three are not history: earlier file contents stay where the files are.
  const apart =
    /^(conversation|index|resolved|explain|former|construction|audit|sent-parts|idempotent-send|tool-allowed|file-change|uses):/;
  const kept = keysOf(world.dataOf("source"), id).filter((key) => !apart.test(key));
  const records = lines.flatMap((line) => (line.type === "record" ? [`${line.kind}:${id}:${line.key}`] : []));
  expect(records.toSorted()).toEqual(kept.toSorted());
  expect([...new Set(records.map((key) => key.split(":")[0]))]).toEqual([
    "approval",
    "event",
    "message",
    "step",
    "told-system",
    "turn-end",
    "wire",
  ]);
});

test("export of a running conversation and import of an existing one are rejected", async () => {
  await using world = await Archives.begin();
  const host = await world.hostOf("source");
  const { client } = host;
  const { id } = await host.createConversation();
  const text = await exported(client, id);
  world.model.enqueue({ kind: "never" });
  await host.send(id, "one");
  await world.model.waitForRequests(1);

  const refusals = await Promise.all(
    [client.exportConversation(id), client.importConversation(new Blob([text]))].map((call) =>
      call.catch((error: unknown) => error),
    ),
  );

  expect(refusals).toMatchObject([{ code: "CONVERSATION_BUSY" }, { code: "CONVERSATION_EXISTS" }]);
});

test("[never-half] an incomplete or foreign import names the line and leaves nothing", async () => {
  await using world = await Archives.begin();
  const source = await world.hostOf("source");
  const id = await live(world, source);
  const text = await exported(source.client, id);
  const lines = linesOf(text);
  const [opening, conversation, prompt, tools, ...records] = lines;
  const target = await world.hostOf("target");
  const bad = {
    "": "line 1",
    "no JSON": "Line 1 is not valid JSON",
    "\uFFFDx": "Line 1 is not valid JSON",
    [toText(lines.slice(0, -1))]: `line ${lines.length - 1}: it ends here`,
    [text.slice(0, text.length / 2)]: "is not valid JSON",
    [toText([conversation, ...lines])]: "line 1: an export begins with",
    [toText([{ type: "incipit-conversation", version: 2 }, ...lines.slice(1)])]: "it has version 2",
    [toText([opening, prompt, ...records])]: "line 2",
    [toText([opening, conversation, conversation])]: 'line 3: a second line of the type "conversation"',
    [toText([opening, conversation, prompt, prompt])]: 'line 4: a second line of the type "prompt"',
    [toText([opening, { type: "conversation", value: { id } }])]: "line 2: cwd",
    [toText([opening, conversation, { type: "prompt", value: { text: "other" } }])]: "line 3",
    [toText([opening, conversation, { type: "tools", value: "[]" }])]: "line 3: these are not the tools",
    [toText([opening, conversation, { type: "tools", value: "{" }])]: "line 3: it is not a list of tools",
    [toText([opening, conversation, prompt, ...records])]: "tools are missing",
    [toText([...lines, records[0]])]: `line ${lines.length + 1}: there is something behind`,
    [toText([opening, conversation, prompt, tools, ...records.slice(1)])]: "records, and",
    [toText([opening, conversation, { type: "record", kind: "other", key: "", value: {} }])]: '"other"',
    [toText([opening, conversation, { type: "record", kind: "message", key: "0", value: {} }])]: "line 3: id",
    [toText([opening, conversation, { type: "other" }])]: "Line 3: type",
  };

  for (const [body, message] of Object.entries(bad)) {
    const failure = await target.client.importConversation(new Blob([body])).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining(message) });
  }
  expect((await target.client.call(routes.listConversations)).conversations).toEqual([]);
  await target.kill("SIGTERM");
  expect(keysOf(world.dataOf("target"), id)).toEqual([]);
  const again = await world.hostOf("target");
  expect((await again.client.importConversation(new Blob([text]))).id).toBe(id);
});

test("[never-half] SIGKILL during an import leaves nothing, and the import can be repeated", async () => {
  await using world = await Archives.begin();
  const source = await world.hostOf("source");
  const id = await live(world, source);
  const text = await exported(source.client, id);
  const lines = linesOf(text);
  const lastEvent = lines.findLastIndex((line) => line.type === "record" && line.kind === "event");
  const first = lines.slice(0, lastEvent + 1);
  const event = turnEventSchema.parse(first.flatMap((line) => (line.type === "record" ? [line.value] : [])).at(-1));
  // Enough records for several commits; the first ones are done when the host ends.
  const many = Array.from({ length: 1_000 }, (_, index) => event.seq + 1 + index).map((seq) => ({
    type: "record",
    kind: "event",
    key: String(seq).padStart(12, "0"),
    value: { ...event, seq },
  }));
  const target = await world.hostOf("target");

  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const importing = target.client.importConversation(body.readable).catch((error: unknown) => error);
  const changes = watch(world.dataOf("target"));
  await writer.write(Buffer.from(toText([...first, ...many])));
  for await (const _ of changes) if (keysOf(world.dataOf("target"), id).length >= 500) break;
  expect((await target.client.call(routes.listConversations)).conversations).toEqual([]);
  await target.kill("SIGKILL");
  expect(await importing).toMatchObject({ code: "UNREACHABLE" });
  expect(keysOf(world.dataOf("target"), id).length).toBeGreaterThan(400);

  const next = await world.hostOf("target");
  expect(keysOf(world.dataOf("target"), id)).toEqual([]);
  await next.client.importConversation(new Blob([text]));
  expect(await exported(next.client, id)).toBe(text);
});
