import { exportLineSchema, turnEventSchema, type ConversationId, type ExportLine } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";

interface World {
  readonly model: Awaited<ReturnType<typeof startRecordingModelServer>>;
  dataOf(name: string): string;
  start(name: string): Promise<{ readonly host: HostProcess; readonly client: Client }>;
}

async function createWorld(scope: AsyncDisposableStack): Promise<World> {
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer());
  const config = join(folder.path, "incipit.toml");
  await Bun.write(join(folder.path, "AGENTS.md"), "be brief");
  await Bun.write(
    config,
    `model = "local/test"\nsystem_prompt = "[system:time] [file:AGENTS.md]"\ntools.workspace = true
[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  const dataOf = (name: string): string => join(folder.path, name, "data");
  return {
    model,
    dataOf,
    async start(name) {
      const host = scope.use(await HostProcess.start({ data: dataOf(name), config, cwd: folder.path }));
      return { host, client: createClient({ url: host.url, token: host.token }) };
    },
  };
}

async function live(
  world: World,
  { host, client }: { readonly host: HostProcess; readonly client: Client },
): Promise<ConversationId> {
  const { id } = await host.createConversation({ title: "Rich \u{1F9A6}" });
  const write = {
    id: "call_1",
    name: "write_file",
    arguments: '{"path":"new.txt","content":"\\u0000 and \u2028"}',
  };
  world.model.enqueue({ kind: "tool-calls", calls: [write] });
  const approving = (async (): Promise<void> => {
    for await (const event of client.followEvents(id, { afterSeq: 0 })) {
      if (event.type === "approval-request") {
        const params = { id, approvalId: event.approvalId };
        await client.call(routes.answerApproval, { params, body: { decision: "allow-always" } });
        return;
      }
    }
  })();
  await host.turn(id, { input: "one" });
  await approving;
  world.model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"no"}}' });
  await host.turn(id, { input: "two" });
  await client.call(routes.compactConversation, { params: { id } });
  await host
    .fetch(`/conversations/${id}/turns`, { body: { input: "three" }, headers: { "idempotency-key": "key" } })
    .then((response) => response.text());
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
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const source = await world.start("source");
  const plain = await source.host.createConversation();
  const id = await live(world, source);
  const last = world.model.requests.at(-1)?.body ?? "";
  const { conversation: fork } = await source.client.call(routes.forkConversation, { params: { id }, body: {} });
  const target = await world.start("target");

  for (const each of [plain.id, id, fork.id]) {
    const text = await exported(source.client, each);
    const conversation = await target.client.importConversation(new Blob([text]));
    const { conversation: original } = await source.client.call(routes.getConversation, { params: { id: each } });
    expect(conversation).toEqual({ ...original, importedAt: expect.any(String) });
    expect(await exported(target.client, each)).toBe(text);
  }

  await Bun.write(join(world.dataOf("source"), "../../AGENTS.md"), "be long");
  await target.host.turn(id, { input: "four" });
  expect(world.model.requests.at(-1)?.body).toStartWith(prefixOf(last));
  await target.host.turn(fork.id, { input: "vier" });
  expect(world.model.requests.at(-1)?.body).toStartWith(prefixOf(last));
  const { steps } = await target.client.call(routes.listSteps, { params: { id } });
  expect(steps.at(-1)).toMatchObject({ firstDifference: null });
});

test("an export has the full history and nothing that grants or runs anything", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const source = await world.start("source");
  const id = await live(world, source);

  const lines = linesOf(await exported(source.client, id));
  await source.host.kill("SIGTERM");

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
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const { host, client } = await world.start("source");
  const { id } = await host.createConversation();
  const text = await exported(client, id);
  world.model.enqueue({ kind: "never" });
  await host.json(`/conversations/${id}/turns`, { body: { input: "one" }, headers: { prefer: "respond-async" } });
  await world.model.waitForRequests(1);

  const refusals = await Promise.all(
    [client.exportConversation(id), client.importConversation(new Blob([text]))].map((call) =>
      call.catch((error: unknown) => error),
    ),
  );

  expect(refusals).toMatchObject([{ code: "CONVERSATION_BUSY" }, { code: "CONVERSATION_EXISTS" }]);
});

test("[never-half] an incomplete or foreign import names the line and leaves nothing", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const source = await world.start("source");
  const id = await live(world, source);
  const text = await exported(source.client, id);
  const lines = linesOf(text);
  const [opening, conversation, prompt, tools, ...records] = lines;
  const target = await world.start("target");
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
  await target.host.kill("SIGTERM");
  expect(keysOf(world.dataOf("target"), id)).toEqual([]);
  const again = await world.start("target");
  expect((await again.client.importConversation(new Blob([text]))).id).toBe(id);
});

test("[never-half] SIGKILL during an import leaves nothing, and the import can be repeated", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const source = await world.start("source");
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
  const target = await world.start("target");

  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const importing = target.client.importConversation(body.readable).catch((error: unknown) => error);
  const changes = watch(world.dataOf("target"));
  await writer.write(Buffer.from(toText([...first, ...many])));
  for await (const _ of changes) if (keysOf(world.dataOf("target"), id).length >= 500) break;
  expect((await target.client.call(routes.listConversations)).conversations).toEqual([]);
  await target.host.kill("SIGKILL");
  expect(await importing).toMatchObject({ code: "UNREACHABLE" });
  expect(keysOf(world.dataOf("target"), id).length).toBeGreaterThan(400);

  const next = await world.start("target");
  expect(keysOf(world.dataOf("target"), id)).toEqual([]);
  await next.client.importConversation(new Blob([text]));
  expect(await exported(next.client, id)).toBe(text);
});
