import { defineExtension, type Extension } from "@incipit/kernel";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import { toolsPoint } from "@incipit/service-contract";
import type { ModelReply } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { collect, HostWorld, prefixOf } from "./testing/host-world.ts";

type Calls = Extract<ModelReply, { kind: "tool-calls" }>["calls"];

const echo: Extension = defineExtension(
  { id: "acme.echo", version: "1.0.0", api: "^1", contributes: ["tools@1"] },
  (host) =>
    host.contribute(toolsPoint, {
      name: "echo",
      description: "Gives its text as often as it is told",
      inputSchema: { type: "object", properties: { text: { type: "string" }, times: { type: "integer" } } },
      isReadOnly: true,
      async execute(input) {
        const { text, times } = z.object({ text: z.string(), times: z.int().default(1) }).parse(input);
        return text.repeat(times);
      },
    }),
);

async function turns(
  { client, model }: HostWorld,
  id: ConversationId,
  ...calls: Calls
): Promise<readonly TurnEvent[]> {
  model.enqueue({ kind: "tool-calls", calls });
  const events = await collect(client.sendTurn(id, { input: "go" })).ended;
  await collect(client.sendTurn(id, { input: "on" })).ended;
  return events;
}

const messageSchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
});
const bodySchema = z.object({ messages: z.array(messageSchema) });
type SentMessage = z.infer<typeof messageSchema>;

/** Validates that each call is followed by one result with its id. */
function validMessages({ model }: HostWorld): readonly SentMessage[] {
  const bodies = model.requests.map(({ body }) => body);
  for (const [index, body] of bodies.slice(1).entries()) expect(body).toStartWith(prefixOf(bodies[index]));
  const { messages } = bodySchema.parse(JSON.parse(bodies.at(-1) ?? ""));
  const seen = new Set<string>();
  let open: string[] = [];
  for (const { role, content, tool_call_id: answered, tool_calls: calls = [] } of messages) {
    if (role === "tool") {
      expect(open).toContain(answered ?? "");
      open = open.filter((id) => id !== answered);
      continue;
    }
    expect(open).toEqual([]);
    if (role === "assistant") expect(calls.length > 0 || (content ?? "") !== "").toBe(true);
    for (const { id, function: called } of calls) {
      expect(id).not.toBe("");
      expect(seen).not.toContain(id);
      expect(called.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      seen.add(id);
      open.push(id);
    }
  }
  expect(open).toEqual([]);
  return messages;
}

test("calls that no provider accepts back get results, and the next request is valid everywhere", async () => {
  await using world = await HostWorld.start({ extensions: () => [echo] });
  const id = await world.createConversation();
  const text = (value: string): string => `{ "text" : "${value}"}`;

  const first = await turns(
    world,
    id,
    { id: "same", name: "echo", arguments: text("one") },
    { id: "same", name: "echo", arguments: text("two") },
    { id: "", name: "echo", arguments: text("three") },
    { id: "4", name: "", arguments: "{}" },
    { id: "5", name: "read file", arguments: "{}" },
    { id: "6", name: "echo", arguments: "[1]" },
  );
  const second = await turns(
    world,
    id,
    { id: "same", name: "echo", arguments: text("seven") },
    { id: "8", name: "echo", arguments: '{"text": ' },
  );

  const outcomes = [...first, ...second].flatMap((event) =>
    event.type === "tool-call-end" ? [event.output ?? event.error?.code ?? ""] : [],
  );
  // The protocol's package drops a call without a name.
  expect(outcomes.toSorted()).toEqual([
    "TOOL_INPUT_INVALID",
    "TOOL_INPUT_INVALID",
    "TOOL_UNKNOWN",
    "one",
    "seven",
    "three",
    "two",
  ]);
  const sent = validMessages(world).flatMap(({ tool_calls: calls = [] }) => calls);
  expect(sent[0]).toMatchObject({ id: "same", function: { name: "echo", arguments: text("one") } });
});

test("an empty reply fails its turn, and the next request is valid everywhere", async () => {
  await using world = await HostWorld.start({ extensions: () => [echo] });
  const id = await world.createConversation();

  const withoutCalls = await turns(world, id);
  world.model.enqueue({ kind: "text", chunks: [] });
  const withoutText = await collect(world.client.sendTurn(id, { input: "go" })).ended;
  await collect(world.client.sendTurn(id, { input: "on" })).ended;

  for (const events of [withoutCalls, withoutText])
    expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "EMPTY_REPLY" } });
  // Roles alternate, and the empty reply is omitted.
  const replies = validMessages(world).filter(({ role }) => role === "assistant");
  expect(replies.map(({ content }) => content)).toEqual(["(no answer)", "Reply 2", "(no answer)"]);
});

test("a 5 MB result is truncated for the model and complete at its address", async () => {
  await using world = await HostWorld.start({ extensions: () => [echo] });
  const { client, host } = world;
  const id = await world.createConversation();
  const toolCallId = "call/1 ünd";

  await turns(world, id, { id: toolCallId, name: "echo", arguments: '{"text": "12345", "times": 1000000}' });
  const { content } = validMessages(world).find(({ role }) => role === "tool") ?? {};
  const path = /GET (\S+)\]$/.exec(content ?? "")?.[1] ?? "";
  const fetched = await fetch(`${host.url}${path}`, { headers: { authorization: `Bearer ${host.token}` } });
  const unknown = await client
    .call(routes.getToolOutput, { params: { id, toolCallId: "other" } })
    .catch((error: unknown) => error);

  expect(Buffer.byteLength(content ?? "")).toBeLessThan(262_144 + 300);
  expect(content).toContain("\n[cut: 262144 of 5000000 bytes; the whole: GET /conversations/");
  const whole = { output: "12345".repeat(1_000_000), sizeBytes: 5_000_000 };
  expect(await fetched.json()).toEqual(whole);
  expect(await client.call(routes.getToolOutput, { params: { id, toolCallId } })).toEqual(whole);
  expect(unknown).toMatchObject({ code: "TOOL_OUTPUT_UNKNOWN" });
});
