import type { TurnEvent } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { createAgentsWorld, type AgentsWorld } from "./agents/agents-world.ts";
import { manyTools, manyToolsServer, type ListedTool } from "./lookup/many-tools-server.ts";
import { prefixOf } from "./request-body.ts";

interface LookupWorld extends AsyncDisposable {
  readonly world: AgentsWorld;
  /** What the server lists from now on beside "reload", a call of which says that the list has changed. */
  list(tools: readonly ListedTool[]): Promise<void>;
  /** Ends the host, and starts one with the same data and the same server. */
  restart(): Promise<void>;
  /** What the server was asked to run. */
  calls(): Promise<readonly unknown[]>;
}

const reload = { name: "reload", description: "Reads the list again", inputSchema: { type: "object" } };

/** A host with the server "crm", which has these tools. */
async function createLookupWorld({
  tools = manyTools(2_999),
  server = "",
  config = "",
}: {
  readonly tools?: readonly ListedTool[];
  readonly server?: string;
  readonly config?: string;
} = {}): Promise<LookupWorld> {
  const world = await createAgentsWorld();
  const program = join(world.home, "many.mjs");
  const file = join(world.home, "tools.json");
  const list = async (next: readonly ListedTool[]): Promise<void> =>
    void (await Bun.write(file, JSON.stringify([...next, reload])));
  const command = `command = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([program, file])}`;
  const restart = (): Promise<void> => world.restart(`${config}\n[mcp.servers.crm]\n${command}\n${server}\n`);
  await Bun.write(program, manyToolsServer);
  await Bun.write(`${file}.calls`, "");
  await list(tools);
  await restart();
  return {
    world,
    list,
    restart,
    async calls() {
      const lines = (await Bun.file(`${file}.calls`).text()).split("\n");
      return lines.filter((line) => line !== "").map((line): unknown => JSON.parse(line));
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const bodySchema = z.object({
  tools: z
    .array(z.object({ function: z.object({ name: z.string(), description: z.string(), parameters: z.unknown() }) }))
    .default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

function toolsOf(body: string): readonly { readonly name: string; readonly description: string }[] {
  return bodySchema.parse(JSON.parse(body)).tools.map((tool) => tool.function);
}

let calls = 0;

/** The model calls one tool; the turn's last request has the result. */
async function modelCalls(
  { world }: LookupWorld,
  id: string,
  { name, input, answer = "allow" }: { name: string; input: unknown; answer?: "allow" | "allow-always" | "deny" },
): Promise<{ readonly events: readonly TurnEvent[]; readonly result: string }> {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  world.model.enqueue({ kind: "tool-calls", calls: [{ id: `call-${(calls += 1)}`, name, arguments: text }] });
  const client = createClient(world.host);
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  const events: TurnEvent[] = [];
  for await (const event of client.sendTurn(conversation.id, { input: "Hello" })) {
    events.push(event);
    if (event.type !== "approval-request") continue;
    const params = { id: conversation.id, approvalId: event.approvalId };
    await client.call(routes.answerApproval, { params, body: { decision: answer } });
  }
  const { messages } = bodySchema.parse(JSON.parse(world.model.requests.at(-1)?.body ?? "{}"));
  return { events, result: String(messages.findLast(({ role }) => role === "tool")?.content) };
}

function expectPrefixes({ world: { model } }: LookupWorld): void {
  const bodies = model.requests.map(({ body }) => body);
  for (const [index, body] of bodies.slice(1).entries())
    expect(body, `request ${index + 2}`).toStartWith(prefixOf(bodies[index] ?? ""));
}

const found = z.object({
  name: z.string(),
  server: z.string(),
  description: z.string(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
});

/** The tools in what a search gives. */
function toolsIn(result: string): readonly z.infer<typeof found>[] {
  return result.split("\n").flatMap((line) => (line.startsWith("{") ? [found.parse(JSON.parse(line))] : []));
}

test("[byte-prefix] a model finds one of 3,000 tools and runs it, a person is asked about that tool, and no request names more than two, also after a restart and with another list", async () => {
  await using lookup = await createLookupWorld();
  const { world } = lookup;
  const id = await world.begin();

  const search = await modelCalls(lookup, id, {
    name: "search_tools",
    input: { query: "archive the invoice of region 7", limit: 3 },
  });
  expect(search.events.find(({ type }) => type === "tools-resolve")).toMatchObject({
    count: 2,
    deferred: [{ server: "crm", count: 3_000, reason: "no-room" }],
    problems: [],
  });
  expect(search.events.some(({ type }) => type === "approval-request")).toBe(false);
  const [first, ...others] = toolsIn(search.result);
  expect(first).toMatchObject({
    name: "crm__archive_invoice_r7",
    server: "crm",
    description: "archive one invoice of the region 7, and tell what came of it.",
    inputSchema: { required: ["id"] },
  });
  expect(others).toHaveLength(2);
  expect(search.result).toMatch(/\n\d+ more fit: /);

  const name = "crm__archive_invoice_r7";
  const ran = await modelCalls(lookup, id, {
    name: "call_tool",
    input: { name, input: { id: "R-1" } },
    answer: "allow-always",
  });
  const toolCallId = `call-${calls}`;
  expect(ran.result).toBe('archive_invoice_r7 ran with {"id":"R-1"}');
  expect(ran.events.filter(({ type }) => type === "approval-request")).toMatchObject([
    { toolCallId, name, input: '{"id":"R-1"}' },
  ]);
  expect(ran.events.find(({ type }) => type === "tool-call-end")).toMatchObject({
    toolCallId,
    name,
    input: '{"id":"R-1"}',
    output: ran.result,
  });

  await lookup.restart();
  await lookup.list([...manyTools(10), { name: "new_one", description: "New", inputSchema: { type: "object" } }]);
  // What was allowed was that tool, and no other one that is called in the same way.
  const gone = await modelCalls(lookup, id, { name: "call_tool", input: { name, input: { id: "R-2" } } });
  expect(gone.events.find(({ type }) => type === "tool-call-end")).toMatchObject({
    name,
    error: { code: "TOOL_UNAVAILABLE" },
  });
  const other = await modelCalls(lookup, id, {
    name: "call_tool",
    input: { name: "crm__read_invoice_r0", input: { id: "R-3" } },
    answer: "deny",
  });
  expect(other.events.filter(({ type }) => type === "approval-request")).toMatchObject([
    { name: "crm__read_invoice_r0" },
  ]);
  expect(other.events.find(({ type }) => type === "tool-call-end")).toMatchObject({
    name: "crm__read_invoice_r0",
    error: { code: "APPROVAL_DENIED" },
  });
  const unknown = await modelCalls(lookup, id, { name: "call_tool", input: { name: "crm__new_one", input: {} } });
  expect(unknown.result).toStartWith('There is no tool "crm__new_one"');
  await lookup.list(manyTools(2_999));
  await modelCalls(lookup, id, { name: "call_tool", input: { name: "crm__reload", input: {} } });
  const again = await modelCalls(lookup, id, { name: "search_tools", input: { query: "archive_invoice_r7" } });
  expect(toolsIn(again.result)[0]?.name).toBe(name);

  const back = await modelCalls(lookup, id, { name: "call_tool", input: { name, input: { id: "R-4" } } });
  expect(back.events.some(({ type }) => type === "approval-request")).toBe(false);

  expect(await lookup.calls()).toEqual([
    ["archive_invoice_r7", { id: "R-1" }],
    ["reload", {}],
    ["archive_invoice_r7", { id: "R-4" }],
  ]);
  expectPrefixes(lookup);
  const shown = world.model.requests.map(({ body }) => toolsOf(body));
  for (const tools of shown) expect(tools).toEqual(shown[0] ?? []);
  expect(shown[0]?.map((tool) => tool.name)).toEqual(["call_tool", "search_tools"]);
  expect(shown[0]?.[1]?.description).toContain("There are 3000, of these servers: crm (3000).");
});
