import { routes } from "@incipit/transport-contract";
import { beforeEach, expect, test } from "bun:test";
import OpenAI, { APIError, BadRequestError, NotFoundError, RateLimitError } from "openai";
import { createChatWorld, failed } from "./chat-world.ts";
import { HostProcess } from "../support/host-process.ts";
import { sharedWorld } from "../support/shared-world.ts";

type Event = OpenAI.Responses.ResponseStreamEvent;

const world = await sharedWorld(createChatWorld());
const client = clientOf(world.host);

beforeEach(() => world.model.releaseAll());

const model = "local/test-model";

function clientOf({ url }: HostProcess, apiKey: string = world.host.token): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
}

async function eventsOf(id: string, after?: number, of = client): Promise<readonly Event[]> {
  const from = after === undefined ? {} : { starting_after: after };
  return Array.fromAsync(await of.responses.retrieve(id, { stream: true, ...from }));
}

const numbersOf = (events: readonly Event[]): readonly number[] => events.map((event) => event.sequence_number);

test("a background response returns immediately, can be polled, and has its output at the end", async () => {
  world.model.enqueue({ kind: "text", chunks: ["Tea", " time"], gate: true });

  const begun = await client.responses.create({
    model,
    input: "Hello",
    background: true,
    metadata: { for: "tea" },
  });
  await world.model.waitFor(({ waitingChunks }) => waitingChunks === 1);
  const running = await client.responses.retrieve(begun.id);
  const early = await failed(client.responses.create({ model, input: "Go on", previous_response_id: begun.id }));
  world.model.releaseAll();
  await eventsOf(begun.id);
  const ended = await client.responses.retrieve(begun.id);
  const next = await client.responses.create({ model, input: "Thanks", previous_response_id: begun.id });

  expect(begun).toMatchObject({ status: "queued", background: true, output: [], metadata: { for: "tea" } });
  expect(running).toMatchObject({ id: begun.id, status: "in_progress" });
  expect(early).toBeInstanceOf(BadRequestError);
  expect(ended).toMatchObject({
    id: begun.id,
    status: "completed",
    background: true,
    output_text: "Tea time",
    created_at: begun.created_at,
    metadata: { for: "tea" },
    usage: { input_tokens: 20, output_tokens: 5 },
  });
  expect(next.status).toBe("completed");
  expect(world.lastRequest()).toContain("Tea time");
  const items = await Array.fromAsync(client.responses.inputItems.list(begun.id));
  expect(items).toMatchObject([{ role: "user", content: "Hello" }]);
});

test("a background stream survives its client, which can resume it during and after the run", async () => {
  world.model.enqueue({ kind: "text", chunks: ["One, ", "two, ", "three."], gate: true });
  const stream = await client.responses.create({ model, input: "Count", background: true, stream: true });
  const first: Event[] = [];
  for await (const event of stream) {
    first.push(event);
    if (event.type === "response.output_text.delta") break;
  }
  const id = first[0]?.type === "response.created" ? first[0].response.id : "";
  const after = first.at(-1)?.sequence_number ?? -1;

  const later = await client.responses.retrieve(id, { stream: true, starting_after: after });
  world.model.releaseAll();
  const rest = await Array.fromAsync(later);
  const again = await eventsOf(id);
  const followed = await client.responses.stream({ response_id: id }).finalResponse();

  expect(first.slice(0, 3).map(({ type }) => type)).toEqual([
    "response.created",
    "response.queued",
    "response.in_progress",
  ]);
  expect(world.model.requests[0]?.isAborted).toBe(false);
  expect(rest.length).toBeGreaterThan(4);
  expect([...first, ...rest]).toEqual([...again]);
  expect(numbersOf(again)).toEqual(again.map((_, index) => index));
  expect(again.at(-1)).toMatchObject({ type: "response.completed", response: { id, status: "completed" } });
  expect(followed.output_text).toBe("One, two, three.");
  expect(numbersOf(await eventsOf(id, again.length - 2))).toEqual([again.length - 1]);
  expect(await eventsOf(id, again.length - 1)).toEqual([]);
  expect(await failed(eventsOf(id, again.length))).toMatchObject({ status: 400, param: "starting_after" });
});

test("cancel stops the model, ends streams, is idempotent, and rejects other responses", async () => {
  world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
  const begun = await client.responses.create({ model, input: "Hello", background: true });
  const followed = await client.responses.retrieve(begun.id, { stream: true });
  for await (const event of await client.responses.retrieve(begun.id, { stream: true }))
    if (event.type === "response.output_text.delta") break;

  const cancelled = await client.responses.cancel(begun.id);
  await world.model.waitFor(({ requests }) => requests[0]?.isAborted === true);
  const again = await client.responses.cancel(begun.id);
  const events = await Array.fromAsync(followed);
  const whole = await client.responses.create({ model, input: "Hello", background: true });
  await eventsOf(whole.id);
  const inFront = await client.responses.create({ model, input: "Hello" });

  expect(cancelled).toMatchObject({
    id: begun.id,
    status: "cancelled",
    error: null,
    output: [{ type: "message", status: "incomplete", content: [{ text: "Half" }] }],
  });
  expect(again).toEqual(cancelled);
  expect(await client.responses.retrieve(begun.id)).toMatchObject({ status: "cancelled" });
  expect(events.at(-1)).toMatchObject({ type: "response.failed", response: { status: "cancelled" } });
  expect(await eventsOf(begun.id)).toEqual(events);
  for (const [id, words] of [
    [whole.id, "Cannot cancel a completed response"],
    [inFront.id, "Cannot cancel a synchronous response"],
  ] as const) {
    const refusal = await failed(client.responses.cancel(id));
    expect(refusal).toBeInstanceOf(BadRequestError);
    expect(refusal).toMatchObject({ param: "response_id", message: expect.stringContaining(words) });
  }
  expect(await failed(client.responses.cancel("resp_nowhere"))).toBeInstanceOf(NotFoundError);
  expect(await failed(eventsOf(inFront.id))).toMatchObject({ status: 400, param: "stream" });
});

test("a failed background response has a reason, and a deleted one stops and is gone", async () => {
  world.model.enqueue({ kind: "error", status: 401, body: '{"error":{"message":"No such key"}}' });
  const refused = await client.responses.create({ model, input: "Hello", background: true });
  const events = await eventsOf(refused.id);
  world.model.enqueue({ kind: "text", chunks: ["Never", " ends"], gate: true });
  const deleted = await client.responses.create({ model, input: "Hello", background: true });
  await world.model.waitFor(({ waitingChunks }) => waitingChunks === 1);

  await client.responses.delete(deleted.id);

  await world.model.waitFor(({ requests }) => requests.at(-1)?.isAborted === true);
  expect(events.at(-1)).toMatchObject({ type: "response.failed" });
  expect(await client.responses.retrieve(refused.id)).toMatchObject({
    status: "failed",
    error: { code: "provider_unauthorized", message: expect.any(String) },
  });
  expect(await failed(client.responses.retrieve(deleted.id))).toBeInstanceOf(NotFoundError);
});

test("a request that cannot run in the background is rejected with its field", async () => {
  const unstored = await failed(client.responses.create({ model, input: "x", background: true, store: false }));
  const unknown = await failed(client.responses.create({ model: "local/", input: "x", background: true }));
  await using unrecorded = await createChatWorld("[records]\nrequests = false");
  const nowhere = await failed(
    clientOf(unrecorded.host, unrecorded.host.token).responses.create({ model, input: "x", background: true }),
  );

  expect(unstored).toMatchObject({ status: 400, param: "background", code: "invalid_request" });
  expect(unknown).toMatchObject({ status: 404, code: "model_not_found" });
  expect(nowhere).toMatchObject({ status: 400, message: expect.stringContaining("[records] requests is false") });
  expect(world.model.requests).toHaveLength(0);
  expect(unrecorded.model.requests).toHaveLength(0);
});

for (const signal of ["SIGKILL", "SIGTERM"] as const)
  test(`[never-lost] a background response of a host ended by ${signal} has failed after the next start`, async () => {
    await using own = await createChatWorld();
    own.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
    const before = clientOf(own.host, own.host.token);
    const done = await before.responses.create({ model, input: "Hello", background: true });
    await own.model.waitFor(({ waitingChunks }) => waitingChunks === 1);
    own.model.releaseAll();
    const told = await eventsOf(done.id, undefined, before);
    own.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
    const begun = await before.responses.create({ model, input: "Hello", background: true });
    own.model.enqueue({ kind: "never" });
    const silent = await before.responses.create({ model, input: "Hello", background: true });
    await own.model.waitForRequests(3);
    await own.host.kill(signal);

    await using again = await HostProcess.start(own.options);

    const after = clientOf(again, again.token);
    for (const { id } of [begun, silent]) {
      const ended = await after.responses.retrieve(id);
      expect(ended).toMatchObject({ status: "failed", error: { code: "interrupted" }, background: true });
      expect((await eventsOf(id, undefined, after)).at(-1)).toMatchObject({
        type: "response.failed",
        response: { status: "failed" },
      });
      expect(await failed(after.responses.cancel(id))).toBeInstanceOf(BadRequestError);
    }
    expect(await after.responses.retrieve(done.id)).toMatchObject({ status: "completed" });
    expect(await eventsOf(done.id, undefined, after)).toEqual(told);
  });

test("[attack:bounds-background-responses] a token is limited to 16 concurrent background responses, without delaying others", async () => {
  const greedy = clientOf(world.host, (await world.newToken()).secret);
  world.model.answer = () => ({ kind: "never" });
  const asked = await Promise.all(
    Array.from({ length: 24 }, () =>
      greedy.responses.create({ model, input: "Hello", background: true }).catch((error: unknown) => error),
    ),
  );
  await world.model.waitForRequests(16);
  world.model.answer = () => undefined;
  const refused = asked.filter((answer) => answer instanceof RateLimitError);
  const running = asked.flatMap((answer) => (answer instanceof APIError || !isBegun(answer) ? [] : [answer]));

  const other = await client.responses.create({ model, input: "Hello", background: true });
  await eventsOf(other.id);
  await Promise.all(running.map(({ id }) => greedy.responses.cancel(id)));
  const free = await greedy.responses.create({ model, input: "Hello", background: true });

  expect([running.length, refused.length]).toEqual([16, 8]);
  expect(refused[0]).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  expect((await client.responses.retrieve(other.id)).status).toBe("completed");
  expect((await eventsOf(free.id, undefined, greedy)).at(-1)).toMatchObject({ type: "response.completed" });
});

test("[attack:tokens-others-response] a background response is visible only to its own token", async () => {
  const stranger = clientOf(world.host, (await world.newToken()).secret);
  world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
  const { id } = await client.responses.create({ model, input: "Hello", background: true });
  await world.model.waitFor(({ waitingChunks }) => waitingChunks === 1);
  const attempts = (who: OpenAI): readonly (() => Promise<unknown>)[] => [
    () => who.responses.retrieve(id),
    () => who.responses.retrieve(id, { stream: true }),
    () => who.responses.inputItems.list(id),
    () => who.responses.create({ model, input: "Go on", previous_response_id: id }),
    () => who.responses.cancel(id),
    () => who.responses.delete(id),
  ];

  const refusals = [];
  for (const attempt of attempts(stranger)) refusals.push(await failed(attempt()));
  const still = await client.responses.retrieve(id);
  world.model.releaseAll();
  const events = await eventsOf(id);

  expect(refusals.map((error) => (error instanceof APIError ? error.status : error))).toEqual(
    Array.from({ length: 6 }, () => 404),
  );
  expect(still.status).toBe("in_progress");
  expect(events.at(-1)).toMatchObject({ type: "response.completed" });
  for (const attempt of attempts(client).toSpliced(4, 1)) expect(await failed(attempt())).toBeUndefined();
});

test("[attack:tokens-response-after-end] a background response ends with its token", async () => {
  const { id, secret } = await world.newToken();
  const brief = clientOf(world.host, secret);
  world.model.enqueue({ kind: "never" }, { kind: "never" });
  await client.responses.create({ model, input: "Hello", background: true });
  await world.model.waitForRequests(1);
  await brief.responses.create({ model, input: "Hello", background: true });
  await world.model.waitForRequests(2);

  await world.api.call(routes.revokeToken, { params: { id } });

  await world.model.waitFor(({ requests }) => requests[1]?.isAborted === true);
  expect(world.model.requests[0]?.isAborted).toBe(false);
});

function isBegun(answer: unknown): answer is OpenAI.Responses.Response {
  return typeof answer === "object" && answer !== null && "id" in answer;
}
