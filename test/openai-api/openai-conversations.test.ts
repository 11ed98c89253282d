import { routes } from "@incipit/transport-contract";
import { beforeEach, expect, test } from "bun:test";
import OpenAI, { APIError, BadRequestError, NotFoundError } from "openai";
import { createChatWorld, failed } from "./chat-world.ts";
import { HostProcess } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";
import { sharedWorld } from "../support/shared-world.ts";

type Item = OpenAI.Conversations.ConversationItem;

const world = await sharedWorld(createChatWorld());
const client = clientOf(world.host);

beforeEach(() => world.model.releaseAll());

const model = "local/test-model";
const weather: OpenAI.Responses.FunctionTool = {
  type: "function",
  name: "weather",
  description: "Tells the weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  strict: false,
};

function clientOf({ url, token }: HostProcess, apiKey: string = token): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
}

const user = (content: string): OpenAI.Responses.EasyInputMessage => ({ type: "message", role: "user", content });

async function said(id: string, of = client): Promise<readonly string[]> {
  const items = await Array.fromAsync(of.conversations.items.list(id, { order: "asc" }));
  return items.map(textOf);
}

function textOf(item: Item): string {
  if (item.type === "function_call") return `call ${item.name}`;
  if (item.type === "function_call_output") return `output ${JSON.stringify(item.output)}`;
  if (item.type !== "message") return item.type;
  const texts = item.content.map((part) => ("text" in part ? part.text : part.type));
  return `${item.role} ${texts.join("")}`;
}

test("a conversation stores metadata and items, which can be paged, added, read and deleted", async () => {
  const made = await client.conversations.create({
    items: [user("One"), { type: "message", role: "assistant", content: "Two" }],
    metadata: { topic: "numbers" },
  });
  const empty = await client.conversations.create();
  const more = Array.from({ length: 20 }, (_, index) => user(`More ${index}`));

  const added = await client.conversations.items.create(made.id, { items: more });
  const updated = await client.conversations.update(made.id, { metadata: { topic: "words" } });
  const newest = await client.conversations.items.list(made.id, { limit: 3 });
  const all = await said(made.id);
  const [first] = added.data;
  const one = await client.conversations.items.retrieve(first?.id ?? "", { conversation_id: made.id });
  const without = await client.conversations.items.delete(first?.id ?? "", { conversation_id: made.id });

  expect(made).toMatchObject({ object: "conversation", metadata: { topic: "numbers" } });
  expect(made.id).toStartWith("conv_");
  expect(empty.metadata).toEqual({});
  expect(await said(empty.id)).toEqual([]);
  expect(added.data).toHaveLength(20);
  expect(updated).toEqual({ ...made, metadata: { topic: "words" } });
  expect([newest.data.map(textOf), newest.has_more]).toEqual([
    ["user More 19", "user More 18", "user More 17"],
    true,
  ]);
  expect(all).toEqual(["user One", "assistant Two", ...more.map((_, index) => `user More ${index}`)]);
  expect<Item | undefined>(one).toEqual(first);
  expect(without).toEqual(updated);
  expect(await said(made.id)).toEqual(all.toSpliced(2, 1));
  expect(await client.conversations.delete(made.id)).toEqual({
    id: made.id,
    object: "conversation.deleted",
    deleted: true,
  });
  for (const gone of [
    () => client.conversations.retrieve(made.id),
    () => client.conversations.items.list(made.id),
    () => client.conversations.delete(made.id),
    () => client.responses.create({ model, input: "Hello", conversation: made.id }),
  ]) {
    const error = await failed(gone());
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: "conversation_unknown" });
  }
});

test("[byte-prefix] requests of a conversation only grow, with tools, streams, background responses and restarts", async () => {
  await using own = await createChatWorld();
  const first = clientOf(own.host);
  const { id } = await first.conversations.create({
    items: [user("I live in Porto."), { role: "assistant", content: "Good." }],
  });
  const ask = { model, tools: [weather], instructions: "Be brief.", conversation: id };
  own.model.enqueue({ kind: "tool-calls", calls: [{ id: "c1", name: "weather", arguments: '{"city":"Porto"}' }] });

  const called = await first.responses.create({ ...ask, input: "Weather?" });
  const [call] = called.output;
  const output = {
    type: "function_call_output" as const,
    call_id: call?.type === "function_call" ? call.call_id : "",
    output: "Rain",
  };
  const told = await first.responses.stream({ ...ask, input: [output] }).finalResponse();
  await own.host.kill("SIGKILL");
  await using again = await HostProcess.start(own.options);
  const second = clientOf(again);
  const background = await second.responses.create({
    ...ask,
    conversation: { id },
    input: "And tomorrow?",
    background: true,
  });
  await Array.fromAsync(await second.responses.retrieve(background.id, { stream: true }));
  const last = await second.responses.create({ ...ask, input: "Thanks", store: false });

  const bodies = own.model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(4);
  for (const [index, body] of bodies.slice(1).entries()) expect(body).toStartWith(prefixOf(bodies[index] ?? "?"));
  expect(await said(id, second)).toEqual([
    "user I live in Porto.",
    "assistant Good.",
    "user Weather?",
    "call weather",
    'output "Rain"',
    `assistant ${told.output_text}`,
    "user And tomorrow?",
    "assistant Reply 3",
    "user Thanks",
    `assistant ${last.output_text}`,
  ]);
  for (const response of [called, told, last]) expect(response.conversation).toEqual({ id });
  const items = await Array.fromAsync(second.conversations.items.list(id));
  expect(items.map((item) => item.id)).toContain(told.output[0]?.id);
});

test("a conversation is locked while a response is written to it", async () => {
  const { id } = await client.conversations.create({ items: [user("Begin")] });
  world.model.enqueue({ kind: "text", chunks: ["One", " two"], gate: true });
  const stream = await client.responses.create({ model, input: "Count", conversation: id, stream: true });
  for await (const event of stream) {
    if (event.type !== "response.output_text.delta" || event.delta !== "One") continue;
    const [item] = (await client.conversations.items.list(id)).data;
    for (const meanwhile of [
      () => client.responses.create({ model, input: "Meanwhile", conversation: id }),
      () => client.responses.create({ model, input: "Meanwhile", conversation: id, background: true }),
      () => client.conversations.items.create(id, { items: [user("Meanwhile")] }),
      () => client.conversations.items.delete(item?.id ?? "", { conversation_id: id }),
    ]) {
      const error = await failed(meanwhile());
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ code: "conversation_locked", param: "conversation" });
    }
    world.model.releaseAll();
  }

  const asked = Array.from({ length: 6 }, (_, index) =>
    client.responses
      .create({ model, input: `At once ${index}`, conversation: id })
      .catch((error: unknown) => error),
  );
  const answers = await Promise.all(asked);
  const taken = answers.filter((answer) => !(answer instanceof APIError)).length;

  expect(taken).toBeGreaterThan(0);
  expect(await said(id)).toHaveLength(3 + 2 * taken);
  expect((await said(id)).slice(0, 3)).toEqual(["user Begin", "user Count", "assistant One two"]);
  expect(world.model.requests).toHaveLength(1 + taken);
});

test("a failed, abandoned or cancelled response adds nothing to its conversation", async () => {
  const { id } = await client.conversations.create();
  world.model.enqueue(
    { kind: "error", status: 400, body: '{"error":{"message":"No"}}' },
    { kind: "cut", chunks: ["Half", " a reply"] },
    { kind: "text", chunks: ["Never", " ends"], gate: true },
    { kind: "text", chunks: ["Never", " ends"], gate: true },
  );
  const ask = { model, input: "Hello", conversation: id };

  const refused = await failed(client.responses.create(ask));
  const events = await Array.fromAsync(await client.responses.create({ ...ask, stream: true }));
  const left = await client.responses.create({ ...ask, stream: true });
  for await (const event of left) if (event.type === "response.output_text.delta") break;
  await world.model.waitFor(({ requests }) => requests.at(-1)?.isAborted === true);
  const invalid = await failed(client.responses.create({ ...ask, input: [] }));
  const unknown = await failed(client.responses.create({ ...ask, model: "local/" }));
  const before = world.model.requests.length;
  const begun = await client.responses.create({ ...ask, background: true });
  await world.model.waitForRequests(before + 1);
  await client.responses.cancel(begun.id);
  const last = await client.responses.create(ask);

  expect(refused).toBeInstanceOf(APIError);
  expect(events.at(-1)?.type).toBe("response.failed");
  expect(invalid).toMatchObject({ status: 400, param: "input" });
  expect(unknown).toMatchObject({ status: 404 });
  expect(await said(id)).toEqual(["user Hello", `assistant ${last.output_text}`]);
});

test("[never-lost] a conversation is unchanged after a kill during a response, and continues", async () => {
  await using own = await createChatWorld();
  const before = clientOf(own.host);
  const { id } = await before.conversations.create({ items: [user("Begin")], metadata: { topic: "kills" } });
  await before.responses.create({ model, input: "One", conversation: id });
  own.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
  await before.responses.create({ model, input: "Two", conversation: id, background: true });
  await own.model.waitFor(({ waitingChunks }) => waitingChunks === 1);
  await own.host.kill("SIGKILL");

  await using again = await HostProcess.start(own.options);

  const after = clientOf(again);
  expect(await after.conversations.retrieve(id)).toMatchObject({ metadata: { topic: "kills" } });
  expect(await said(id, after)).toEqual(["user Begin", "user One", "assistant Reply 1"]);
  const next = await after.responses.create({ model, input: "Three", conversation: id });
  expect(await said(id, after)).toEqual([
    "user Begin",
    "user One",
    "assistant Reply 1",
    "user Three",
    `assistant ${next.output_text}`,
  ]);
  expect(own.lastRequest()).toStartWith(prefixOf(own.model.requests[0]?.body ?? "?"));
});

test("a conversation deleted during a response stays deleted, and the response completes", async () => {
  const { id } = await client.conversations.create();
  world.model.enqueue({ kind: "text", chunks: ["One", " two"], gate: true });
  const begun = await client.responses.create({ model, input: "Count", conversation: id, background: true });
  await world.model.waitFor(({ waitingChunks }) => waitingChunks === 1);

  await client.conversations.delete(id);
  world.model.releaseAll();
  await Array.fromAsync(await client.responses.retrieve(begun.id, { stream: true }));

  expect(await client.responses.retrieve(begun.id)).toMatchObject({ status: "completed", output_text: "One two" });
  expect(await failed(client.conversations.retrieve(id))).toBeInstanceOf(NotFoundError);
});

test("unsupported fields of a conversation are rejected by name", async () => {
  const { id } = await client.conversations.create();
  const inFront = await client.responses.create({ model, input: "Hello" });
  const inIt = await client.responses.create({ model, input: "Hello", conversation: id });
  world.model.forget();
  const pairs = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, "x"]));
  const refusals: readonly (readonly [() => Promise<unknown>, string])[] = [
    [
      () => client.responses.create({ model, input: "x", conversation: id, previous_response_id: inFront.id }),
      "conversation",
    ],
    [() => client.responses.create({ model, input: "x", previous_response_id: inIt.id }), "previous_response_id"],
    [() => client.post("/responses", { body: { model, input: "x", conversation: 7 } }), "conversation"],
    [() => client.conversations.create({ metadata: pairs }), "metadata"],
    [() => client.conversations.update(id, { metadata: { long: "x".repeat(513) } }), "metadata.long"],
    [() => client.conversations.create({ items: Array.from({ length: 21 }, () => user("x")) }), "items"],
    [() => client.conversations.items.create(id, { items: [] }), "items"],
    [
      () => client.conversations.items.create(id, { items: [{ type: "item_reference", id: "msg_1" }] }),
      "items[0].id",
    ],
    [() => client.post(`/conversations/${id}/items`, { body: { items: [{ type: "wizard" }] } }), "items[0].type"],
    [() => client.conversations.items.list(id, { after: "msg_1" }), "after"],
    [() => client.get(`/conversations/${id}/items?limit=0`), "limit"],
  ];
  for (const [ask, param] of refusals) {
    const error = await failed(ask());
    expect(error).toBeInstanceOf(BadRequestError);
    expect([param, error instanceof APIError && error.param]).toEqual([param, param]);
  }
  for (const itemId of ["msg_1", "wizard", "msg_1:2"])
    expect(await failed(client.conversations.items.retrieve(itemId, { conversation_id: id }))).toMatchObject({
      status: 404,
      code: "message_unknown",
    });
  expect(world.model.requests).toHaveLength(0);
});

test("[attack:tokens-others-conversation] a conversation is visible only to the token that created it", async () => {
  const { secret } = await world.newToken();
  const stranger = clientOf(world.host, secret);
  const { id } = await client.conversations.create({ items: [user("Secret")] });
  const [item] = (await client.conversations.items.list(id)).data;
  const itemId = item?.id ?? "";
  const attempts = (who: OpenAI): readonly (() => Promise<unknown>)[] => [
    () => who.conversations.retrieve(id),
    () => who.conversations.update(id, { metadata: {} }),
    () => who.conversations.items.list(id),
    () => who.conversations.items.create(id, { items: [user("Mine")] }),
    () => who.conversations.items.retrieve(itemId, { conversation_id: id }),
    () => who.responses.create({ model, input: "What was said?", conversation: id }),
    () => who.responses.create({ model, input: "What was said?", conversation: id, background: true }),
    () => who.conversations.items.delete(itemId, { conversation_id: id }),
    () => who.conversations.delete(id),
  ];

  const refusals = [];
  for (const attempt of attempts(stranger)) refusals.push(await failed(attempt()));

  expect(refusals.map((error) => error instanceof APIError && [error.status, error.code])).toEqual(
    Array.from({ length: attempts(stranger).length }, () => [404, "conversation_unknown"]),
  );
  expect(world.model.requests).toHaveLength(0);
  expect(await said(id)).toEqual(["user Secret"]);
  for (const attempt of attempts(client).toSpliced(6, 1)) expect(await failed(attempt())).toBeUndefined();
});

test("conversations of API clients are not in the host's own list", async () => {
  const { id } = await client.conversations.create({ items: [user("Hello")] });
  await client.responses.create({ model, input: "Hello", conversation: id });
  const { api } = world;

  expect((await api.call(routes.listConversations, { query: {} })).conversations).toEqual([]);
  expect((await world.host.fetch(`/conversations/${id}`)).status).toBe(400);
  const { conversation } = await api.call(routes.createConversation, { body: {} });
  expect(await failed(client.conversations.retrieve(conversation.id))).toBeInstanceOf(NotFoundError);
});
