import type { ModelMessage } from "@incipit/schema";
import {
  modelCallsHandle,
  type ModelCallEvent,
  type ModelCallRequest,
  workObserversPoint,
  type ModelEvent,
  type Work,
} from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import {
  call,
  collect,
  createWorld,
  fail,
  outcomeOf,
  pixel,
  say,
  stall,
  type World,
} from "../testing/test-world.ts";
import { hookedStorage, listStored, putStored } from "../testing/hooked-storage.ts";

const hello: ModelCallRequest = {
  messages: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
  tools: [],
};
const never = new AbortController().signal;

async function ask(
  world: World,
  request: Partial<ModelCallRequest> = {},
): Promise<{ readonly id: string; readonly events: readonly ModelCallEvent[] }> {
  const asked = collect(world.service(modelCallsHandle).call({ ...hello, ...request }, { signal: never }));
  const events = await world.clock.advanceUntil(asked);
  const [start] = events;
  if (start?.type !== "call-start") throw new Error("It did not begin with its id");
  return { id: start.callId, events };
}

function refused(world: World, request: Partial<ModelCallRequest>): Promise<unknown> {
  return outcomeOf(collect(world.service(modelCallsHandle).call({ ...hello, ...request }, { signal: never })));
}

test("[sent-is-shown] call stores its record and exact request before sending", async () => {
  const seen: unknown[] = [];
  await using world = await createWorld();
  const calls = world.service(modelCallsHandle);
  // The test model reports its request, and continues with this script once that is stored.
  world.scripts.push(async function* look() {
    const { items } = await calls.list({ limit: 10 });
    const [running] = items;
    seen.push(running, await calls.request(running?.id ?? ""), await calls.explain(running?.id ?? ""));
    yield* say("Yes");
  });

  const { id, events } = await ask(world, { system: ["Be brief."], settings: { temperature: 0.5 } });

  expect(events.map(({ type }) => type)).toEqual(["call-start", "text-start", "text-delta", "text-end", "finish"]);
  const body = JSON.stringify({ system: ["Be brief."], messages: hello.messages });
  expect(seen).toMatchObject([{ id, status: "running", attempts: 1 }, { body }, { systemTexts: ["Be brief."] }]);
  expect(world.requests[0]?.settings).toEqual({ temperature: 0.5 });
  expect(await calls.get(id)).toMatchObject({
    status: "completed",
    model: "test/model",
    finishReason: "stop",
    endedAt: expect.any(String),
    usage: { inputTokens: 1 },
  });
});

test("call sends nothing that cannot be stored, and fails if its end cannot be stored", async () => {
  let failing = "call-prompt:";
  const storage = hookedStorage({
    atomic: (writes) => {
      const isDelete = failing === "call-active:";
      if (writes.some(({ key, kind }) => key.startsWith(failing) && (kind === "delete") === isDelete))
        throw new Error("The disk is full");
    },
  });
  await using world = await createWorld({ storage });
  let hasSpoken = false;
  world.scripts.push(async function* speak() {
    hasSpoken = true;
    yield* say("Never");
  });
  const unsent = await outcomeOf(ask(world));
  const spokenUnstored = hasSpoken;
  failing = "call-active:";
  const unended = await ask(world);

  expect(unsent).toMatchObject({
    events: [{ type: "call-start" }, { type: "failure", error: { code: "STORAGE_FAILED" } }],
  });
  expect(spokenUnstored).toBe(false);
  expect(unended.events.at(-1)).toMatchObject({ type: "failure", error: { code: "STORAGE_FAILED" } });
  expect(world.logged).toContain("The end of a model call could not be stored");
});

test("[never-lost] call stores keepFromStart immediately, and is interrupted by a crash before its request", async () => {
  const storage = createMemoryStorage();
  const began: string[] = [];
  {
    await using world = await createWorld({ storage });
    const events = world.service(modelCallsHandle).call(hello, {
      signal: never,
      keepFromStart: { kind: "test" },
    });
    const asked = events[Symbol.asyncIterator]();
    const start = (await asked.next()).value;
    if (start?.type !== "call-start") throw new Error("It did not begin with its id");
    began.push(start.callId);
    expect(await world.service(modelCallsHandle).get(start.callId)).toMatchObject({
      status: "running",
      attempts: 0,
    });
  }

  await using again = await createWorld({ storage });
  const [id = ""] = began;
  expect(await again.service(modelCallsHandle).kept(id)).toEqual({ kind: "test" });
  expect(await again.service(modelCallsHandle).get(id)).toMatchObject({ status: "interrupted" });
});

test("[never-lost] call rejects keepFromStart when requests are not recorded", async () => {
  await using world = await createWorld({ settings: { records: { requests: false } } });

  const asked = collect(world.service(modelCallsHandle).call(hello, { signal: never, keepFromStart: {} }));

  expect(await outcomeOf(asked)).toMatchObject({ code: "INVALID_REQUEST" });
  expect(world.requests).toHaveLength(0);
});

test("call retries while nothing was shown, and reports the last failure", async () => {
  await using world = await createWorld();
  world.scripts.push(
    () => fail("OVERLOADED", true),
    () => say("Yes"),
    ...Array.from({ length: 4 }, () => () => fail("RATE_LIMITED", true, 10)),
    () => fail("BAD_REQUEST", false),
  );

  const again = await ask(world);
  const limited = await ask(world);
  const bad = await ask(world);

  expect(again.events.at(-1)).toMatchObject({ type: "finish" });
  expect(limited.events.at(-1)).toEqual({
    type: "failure",
    error: { code: "RATE_LIMITED", message: "It is RATE_LIMITED", isRetryable: true, retryAfterMs: 10 },
  });
  expect(bad.events).toHaveLength(2);
  const records = await Promise.all([again, limited, bad].map(({ id }) => world.service(modelCallsHandle).get(id)));
  expect(records.map(({ status, attempts, error }) => [status, attempts, error?.code])).toEqual([
    ["completed", 2, undefined],
    ["failed", 4, "RATE_LIMITED"],
    ["failed", 1, "BAD_REQUEST"],
  ]);
});

test("call retries exactly after the vendor's delay", async () => {
  await using world = await createWorld({ scripts: [() => fail("RATE_LIMITED", true, 7_000)] });
  const asked = collect(world.service(modelCallsHandle).call(hello, { signal: never }));
  while (world.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await world.clock.advance(6_999);
  const early = world.requests.length;
  await world.clock.advance(1);

  expect((await asked).at(-1)).toMatchObject({ type: "finish" });
  expect([early, world.requests.length]).toEqual([1, 2]);
});

test("call retries after hidden output", async () => {
  await using world = await createWorld();
  world.scripts.push(async function* unseen() {
    yield { type: "text-delta", partId: "0", text: "" };
    yield* fail("OVERLOADED", true);
  });

  const { events } = await ask(world);

  expect(events.map(({ type }) => type)).toEqual(["call-start", "text-start", "text-delta", "text-end", "finish"]);
});

test("[one-terminal-event] call ends once for a silent, truncated or throwing model", async () => {
  await using world = await createWorld({ settings: { idle_timeout_ms: 1_000 } });
  world.scripts.push(
    stall,
    async function* cut() {
      yield { type: "text-delta", partId: "0", text: "par" };
    },
    async function* throwing() {
      yield { type: "text-delta", partId: "0", text: "par" };
      throw new Error("broken");
    },
  );

  const ends = [];
  for (const _ of [1, 2, 3]) ends.push((await ask(world)).events);

  expect(ends.map((events) => events.filter(({ type }) => type === "failure" || type === "finish"))).toMatchObject([
    [{ error: { code: "TIMEOUT" } }],
    [{ error: { code: "CUT_OFF" } }],
    [{ error: { code: "INTERNAL", message: "broken" } }],
  ]);
  for (const events of ends)
    expect(events.slice(1, -1).map(({ type }) => type)).toEqual(["text-start", "text-delta", "text-end"]);
});

test("call yields complete tool calls with unique ids", async () => {
  await using world = await createWorld();
  world.scripts.push(() =>
    call({ toolCallId: "c", name: "look up", input: "{}" }, { toolCallId: "c", name: "look", input: "{" }),
  );

  const { events } = await ask(world, {
    messages: [
      ...hello.messages,
      { role: "assistant", parts: [{ type: "tool-call", toolCallId: "c", name: "look", input: "{}" }] },
      { role: "tool", parts: [{ type: "tool-result", toolCallId: "c", name: "look", output: "", isError: false }] },
    ],
    tools: [{ name: "look", description: "", inputSchema: {} }],
  });

  expect(events.filter(({ type }) => type === "tool-call")).toEqual([
    { type: "tool-call", toolCallId: "c-2", name: "look_up", input: "{}" },
    { type: "tool-call", toolCallId: "c-3", name: "look", input: "{" },
  ]);
});

test("call aborts the model when the consumer leaves or aborts, and records cancelled", async () => {
  await using world = await createWorld();
  const stopped: AbortSignal[] = [];
  const stalling: World["scripts"][number] = (request) => {
    stopped.push(request.signal);
    return stall(request);
  };
  world.scripts.push(stalling, stalling);
  const ids: string[] = [];
  const abort = new AbortController();

  for await (const event of world.service(modelCallsHandle).call(hello, { signal: never })) {
    if (event.type === "call-start") ids.push(event.callId);
    if (event.type === "text-delta") break;
  }
  const events: ModelCallEvent[] = [];
  for await (const event of world.service(modelCallsHandle).call(hello, { signal: abort.signal })) {
    events.push(event);
    if (event.type === "call-start") ids.push(event.callId);
    if (event.type === "text-delta") abort.abort();
  }

  expect(stopped.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(events.at(-1)).toMatchObject({ type: "failure", error: { code: "CANCELLED" } });
  const records = await Promise.all(ids.map((id) => world.service(modelCallsHandle).get(id)));
  expect(records.map(({ status, error }) => [status, error])).toEqual([
    ["cancelled", null],
    ["cancelled", null],
  ]);
});

test("[never-lost] a call cut by the host's end is interrupted, on stop or after a crash", async () => {
  const storage = createMemoryStorage();
  const idOf = async (events: AsyncIterable<ModelCallEvent>): Promise<string> => {
    let id = "";
    for await (const event of events) {
      if (event.type === "call-start") id = event.callId;
      if (event.type === "text-delta") return new Promise(() => {}); // Stalls without leaving the iteration.
    }
    return id;
  };
  const world = await createWorld({ storage, scripts: [stall, stall] });
  void idOf(world.service(modelCallsHandle).call(hello, { signal: never }));
  while ((await world.service(modelCallsHandle).list({ limit: 1 })).items.length === 0);
  const crashed = createMemoryStorage();
  for (const prefix of ["call:", "call-active:", "call-prompt:"])
    for (const { key, value } of await storage.list("session-orchestrator/conversations", { prefix }))
      await putStored(crashed, key, value);
  await world[Symbol.asyncDispose]();
  await using stopped = await createWorld({ storage });
  await using restarted = await createWorld({ storage: crashed });

  for (const later of [stopped, restarted]) {
    const { items } = await later.service(modelCallsHandle).list({ limit: 10 });
    expect(items).toMatchObject([{ status: "interrupted", endedAt: expect.any(String), attempts: 1 }]);
    const left = later === stopped ? storage : crashed;
    expect(await listStored(left, "call-active:")).toEqual([]);
  }
});

test("call rejects an invalid request without a record", async () => {
  await using world = await createWorld({ defaults: { profiles: [{ name: "lost", model: "nobody/x" }] } });

  expect(await refused(world, { model: "nobody/x" })).toMatchObject({ code: "MODEL_UNKNOWN" });
  expect(await refused(world, { profile: "nobody" })).toMatchObject({
    code: "PROFILE_UNKNOWN",
    details: [{ field: '"profile"' }],
  });
  const lost = await refused(world, { profile: "lost" });
  expect(lost).toMatchObject({ code: "MODEL_UNKNOWN", message: expect.stringContaining('profile "lost"') });
  expect(await refused(world, { cwd: "here" })).toMatchObject({
    code: "CWD_INVALID",
    details: [{ field: '"cwd"' }],
  });
  const messages = [{ role: "user", parts: [pixel] } as const];
  expect(await refused(world, { messages })).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringContaining("image/png"),
  });
  expect(await world.service(modelCallsHandle).list({ limit: 10 })).toEqual({ items: [] });
  expect(world.requests).toHaveLength(0);
});

test("list pages newest first, skips damaged records, and unknown ids throw CALL_UNKNOWN", async () => {
  await using world = await createWorld();
  const ids: string[] = [];
  for (const _ of [1, 2, 3, 4]) ids.push((await ask(world)).id);
  const key = `call:${ids[1]}`;
  await putStored(world.storage, key, "damaged");
  const calls = world.service(modelCallsHandle);

  const first = await calls.list({ limit: 2 });
  const second = await calls.list({
    limit: 2,
    ...(first.nextCursor === undefined ? {} : { cursor: first.nextCursor }),
  });

  const listed: readonly string[] = [...first.items, ...second.items].map(({ id }) => id);
  expect(listed).toEqual([3, 2, 0].map((index) => ids[index] ?? ""));
  for (const read of [() => calls.get("x"), () => calls.request("x"), () => calls.explain("x")])
    expect(await outcomeOf(read())).toMatchObject({ code: "CALL_UNKNOWN" });
  expect(await outcomeOf(calls.get(ids[1] ?? ""))).toMatchObject({
    code: "STORED_DATA_DAMAGED",
  });
});

test("[closed-by-default] records of a call are redacted", async () => {
  const secret = "planted-secret-value-1";
  await using world = await createWorld({ settings: { secrets: [secret] } });
  world.scripts.push(async function* refuse() {
    yield {
      type: "failure",
      error: { code: "UNAUTHORIZED", message: `No such key: ${secret}`, isRetryable: false },
    };
  });
  const text = `The key is ${secret}`;

  const { id, events } = await ask(world, {
    system: [text],
    messages: [{ role: "user", parts: [{ type: "text", text }] }],
  });

  expect(JSON.stringify(world.requests[0])).toContain(secret);
  expect(JSON.stringify(events)).not.toContain(secret);
  expect(await world.service(modelCallsHandle).request(id)).toMatchObject({ isRedacted: true });
  expect(await world.service(modelCallsHandle).explain(id)).toMatchObject({
    isRedacted: true,
    systemTexts: ["The key is [redacted:secret]"],
  });
  for (const prefix of ["call", "wire:call:"])
    for (const { value } of await world.storage.list("session-orchestrator/conversations", { prefix }))
      expect(JSON.stringify(value)).not.toContain(secret);
});

test("call notifies observers once", async () => {
  await using world = await createWorld();
  const told: Work[] = [];
  const observe = (work: Work): void => void told.push(work);
  await world.add("acme.observer", (host) => host.contribute(workObserversPoint, { id: "o", observe }));

  const { id } = await ask(world);

  expect(told).toMatchObject([
    {
      type: "model-call",
      purpose: "stateless",
      callId: id,
      conversationId: null,
      provider: "test",
      attempts: 1,
      error: null,
    },
  ]);
});

test("call uses one stable cache id per client conversation", async () => {
  await using world = await createWorld();
  const reply = { role: "assistant", parts: [{ type: "text", text: "Hi" }] } as const;
  await ask(world);
  await ask(world, { messages: [...hello.messages, reply, ...hello.messages] });
  await ask(world, { messages: [reply] });
  await ask(world, { cacheKey: "mine" });
  await ask(world, { cacheKey: "mine", messages: [reply] });
  await ask(world, { system: ["Be brief."] });

  const names = world.requests.map(({ conversationId }) => conversationId);

  expect(names.map((name) => names.indexOf(name))).toEqual([0, 0, 2, 3, 3, 5]);
  expect(world.requests[1]?.messages[1]).toMatchObject({ role: "assistant", model: "test/model" });
});

const signed = { vendor: { signature: "c2ln" } };

async function* signedCalls(): AsyncGenerator<ModelEvent> {
  yield { type: "reasoning-start", partId: "r" };
  yield { type: "reasoning-delta", partId: "r", text: "Hm" };
  yield { type: "reasoning-end", partId: "r", metadata: signed };
  yield { type: "text-delta", partId: "t", text: "I look" };
  yield { type: "text-end", partId: "t" };
  yield { type: "tool-call-start", toolCallId: "c", name: "look" };
  yield { type: "tool-call", toolCallId: "c", name: "look", input: "{}", metadata: signed };
  yield* call({ toolCallId: "d", name: "look", input: "[]" });
}

function givenBack(events: readonly ModelCallEvent[], text: string): readonly ModelMessage[] {
  const calls = events.filter((event) => event.type === "tool-call");
  return [
    ...hello.messages,
    {
      role: "assistant",
      parts: [
        { type: "text", text },
        ...calls.map(({ toolCallId, name, input }) => ({ type: "tool-call", toolCallId, name, input }) as const),
      ],
    },
    {
      role: "tool",
      parts: calls.map(
        ({ toolCallId, name }) =>
          ({ type: "tool-result", toolCallId, name, output: "seen", isError: false }) as const,
      ),
    },
  ];
}

test("call restores vendor metadata in a client's history, also after a restart", async () => {
  await using world = await createWorld({ scripts: [signedCalls] });
  const { id, events } = await ask(world, { keepsReply: true });
  const messages = givenBack(events, "I look");
  await ask(world, { keepsReply: true, messages });
  await using restarted = await createWorld({ storage: world.storage });
  await ask(restarted, { keepsReply: true, messages });
  await ask(restarted, { keepsReply: true, messages: givenBack(events, "I look away") });
  const changed = (change: Partial<Extract<ModelCallEvent, { type: "tool-call" }>>): readonly ModelMessage[] =>
    givenBack(
      events.map((event) => (event.type === "tool-call" ? { ...event, ...change } : event)),
      "I look",
    );
  await ask(restarted, { keepsReply: true, messages: changed({ name: "see" }) });
  await ask(restarted, { keepsReply: true, messages: changed({ input: '{"n":1}' }) });
  const renamed = JSON.stringify(messages).replaceAll(`${id.replaceAll("-", "")}_1`, "another");
  await ask(restarted, { keepsReply: true, messages: JSON.parse(renamed) });

  const ids = events.flatMap((event) => (event.type === "tool-call" ? [event.toolCallId] : []));
  expect(ids).toEqual([0, 1].map((index) => `${id.replaceAll("-", "")}_${index}`));
  expect(events.map(({ type }) => type).join(" ")).toBe(
    "call-start reasoning-start reasoning-delta reasoning-end text-start text-delta text-end tool-call tool-call finish",
  );
  const said = {
    role: "assistant",
    model: "test/model",
    parts: [
      { type: "reasoning", text: "Hm", metadata: signed },
      { type: "text", text: "I look" },
      { type: "tool-call", toolCallId: ids[0], name: "look", input: "{}", metadata: signed },
      { type: "tool-call", toolCallId: ids[1], name: "look", input: "[]" },
    ],
  };
  for (const { messages: sent } of [world.requests[1], restarted.requests[0]].flatMap((request) => request ?? []))
    expect(JSON.parse(JSON.stringify(sent[1]))).toEqual(said);
  // Edited by the client, so sent unchanged.
  expect(restarted.requests).toHaveLength(5);
  for (const { messages: sent } of restarted.requests.slice(1))
    expect(JSON.stringify(sent)).not.toContain("signature");
});

test("call keeps tool call ids and stores no reply without vendor metadata", async () => {
  await using world = await createWorld();
  const calling = { toolCallId: "c", name: "look", input: "{}" };
  world.scripts.push(
    () => call(calling),
    signedCalls,
    () => call(calling),
  );

  const plain = await ask(world, { keepsReply: true });
  const unstored = await ask(world);
  const started = await ask(world);

  const shown = [plain, unstored, started].map(({ events }) =>
    events.flatMap((event) =>
      event.type.startsWith("tool-call") && "toolCallId" in event ? [event.toolCallId] : [],
    ),
  );
  expect(shown).toEqual([["c"], ["c", "c", "d", "d"], ["c", "c"]]);
  expect(await listStored(world.storage, "call-reply:")).toEqual([]);
});

test("call waiting for the host start ends with the host or the client, without records", async () => {
  const world = await createWorld({ isStarting: true });
  const calls = world.service(modelCallsHandle);
  const leave = new AbortController();
  const waiting = [never, leave.signal].map((signal) => outcomeOf(collect(calls.call(hello, { signal }))));
  leave.abort(new Error("left"));
  const left = await waiting[1];
  await world[Symbol.asyncDispose]();

  expect(left).toMatchObject({ message: "left" });
  expect(await waiting[0]).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(world.requests).toEqual([]);
  expect(await listStored(world.storage, "call")).toEqual([]);
});

test("call reports MODEL_UNKNOWN without mentioning a profile", async () => {
  await using world = await createWorld();
  const unknown = await refused(world, { model: "nobody/one" });

  expect(unknown).toMatchObject({ code: "MODEL_UNKNOWN" });
  expect(String(unknown)).not.toContain("profile");
});
