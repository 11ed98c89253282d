import type { ModelMessage, TurnEvent } from "@incipit/schema";
import type { Tool, ToolSource } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { call, callOne, createWorld, ending, say, type World } from "../testing/test-world.ts";
import { allowedTool } from "../testing/new-tool.ts";

const echo = allowedTool("echo", async (input) => JSON.stringify(input));

function ends(events: readonly TurnEvent[]): readonly unknown[] {
  return events.flatMap((event) => (event.type === "tool-call-end" ? [event] : []));
}

/** Vendors' rules: one result per call in the next message, unique ids, no empty messages. */
function expectValid(messages: readonly ModelMessage[]): void {
  const calls = messages.map(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])),
  );
  const results = messages.map(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])),
  );
  expect(results).toEqual([[], ...calls.slice(0, -1)]);
  expect(new Set(calls.flat()).size).toBe(calls.flat().length);
  for (const { parts } of messages) {
    expect(parts.some((part) => part.type !== "text" || part.text.trim() !== "")).toBe(true);
    for (const part of parts) if (part.type === "tool-call") expect(part.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  }
}

async function nextRequest(world: World, id: Parameters<World["turn"]>[0]): Promise<readonly ModelMessage[]> {
  await world.turn(id, "and now?");
  const messages = world.requests.at(-1)?.messages ?? [];
  expectValid(messages);
  return messages;
}

test("calls with duplicate or missing ids receive unique ids from the start", async () => {
  await using world = await createWorld({ tools: [echo] });
  const { id } = await world.conversations.create({});
  const twice = [
    { toolCallId: "x", name: "echo", input: '{"n":1}' },
    { toolCallId: "x", name: "echo", input: '{"n":2}' },
    { toolCallId: "", name: "echo", input: '{"n":3}' },
  ];
  world.scripts.push(
    async function* begun() {
      for (const { toolCallId, name } of twice) yield { type: "tool-call-start", toolCallId, name };
      yield* call(...twice);
    },
    callOne("echo", '{"n":4}', "x"),
  );

  const events = await world.turn(id, "go");

  const begun = events.flatMap((event) => (event.type === "tool-call-start" ? [event.toolCallId] : []));
  expect(begun).toEqual(["x", "x-2", "call", "x-3"]);
  expect(ends(events)).toMatchObject([
    { toolCallId: "x", output: '{"n":1}' },
    { toolCallId: "x-2", output: '{"n":2}' },
    { toolCallId: "call", output: '{"n":3}' },
    { toolCallId: "x-3", output: '{"n":4}' },
  ]);
  await nextRequest(world, id);
});

for (const [input, reason] of [
  ['{"n": ', "no JSON object"],
  ["null", "they are null"],
  ["[1]", "they are a list"],
  ['"text"', "they are a string"],
  ['{"n":1,"n":2}', 'the key "n" twice'],
] as const) {
  test(`a call with the arguments ${input} is rejected with a reason and stored verbatim`, async () => {
    let runs = 0;
    await using world = await createWorld({ tools: [allowedTool("count", async () => String((runs += 1)))] });
    const { id, events } = await world.ask("go", callOne("count", input));

    expect(runs).toBe(0);
    expect(ends(events)).toMatchObject([
      { input, error: { code: "TOOL_INPUT_INVALID", message: expect.stringContaining(reason) } },
    ]);
    expect((await nextRequest(world, id))[1]?.parts).toMatchObject([{ input }]);
  });
}

test("[attack:terminal-key-twice] a call with a duplicate key is neither approved nor run", async () => {
  const ran: unknown[] = [];
  const asks: Tool = { ...allowedTool("shell", async (input) => String(ran.push(input))), approval: "ask" };
  for (const [input, isControl] of [
    ['{"command":"ls","comm\\u0061nd":"rm -rf ~"}', false],
    ['{"command":"rm -rf ~"}', true],
  ] as const) {
    await using world = await createWorld({ tools: [asks] });
    const { requests } = await world.approve("allow", { script: callOne("shell", input) });

    expect(requests).toHaveLength(isControl ? 1 : 0);
    expect(ran).toEqual(isControl ? [{ command: "rm -rf ~" }] : []);
  }
});

test("a call with an invalid name returns an error and runs no similar tool", async () => {
  let runs = 0;
  await using world = await createWorld({ tools: [allowedTool("read_file", async () => String((runs += 1)))] });
  const { id, events } = await world.ask("go", () =>
    call({ toolCallId: "1", name: "", input: "{}" }, { toolCallId: "2", name: "read file", input: "{}" }),
  );

  expect(runs).toBe(0);
  expect(ends(events)).toMatchObject([
    { name: "unnamed_tool", error: { code: "TOOL_UNKNOWN" } },
    { name: "read_file_", error: { code: "TOOL_UNKNOWN" } },
  ]);
  await nextRequest(world, id);
});

test("hundreds of calls run 16 at a time, with results in call order", async () => {
  let running = 0;
  let most = 0;
  const busy = allowedTool("busy", async (input) => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return JSON.stringify(input);
  });
  await using world = await createWorld({ tools: [busy] });
  const { id } = await world.conversations.create({});
  const calls = Array.from({ length: 300 }, (_, index) => ({
    toolCallId: `call-${index}`,
    name: "busy",
    input: `{"n":${index}}`,
  }));
  world.scripts.push(() => call(...calls));

  await world.turn(id, "go");

  expect(most).toBe(16);
  const messages = await nextRequest(world, id);
  expect(messages[2]?.parts).toMatchObject(
    calls.map(({ toolCallId, input }) => ({ toolCallId, output: input, isError: false })),
  );
});

test("stop prevents queued calls from running and gives each call a result", async () => {
  const started: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const slow = allowedTool("slow", (input) => {
    started.push(input);
    first.resolve();
    return new Promise(() => {});
  });
  let asked = 0;
  const source: ToolSource = { id: "slow", tools: async () => ({ tools: [slow], problems: [`${(asked += 1)}`] }) };
  await using world = await createWorld({ toolSources: [source] });
  const { id } = await world.conversations.create({});
  const calls = Array.from({ length: 100 }, (_, index) => ({ toolCallId: `${index}`, name: "slow", input: "{}" }));
  world.scripts.push(() => call(...calls));
  const { turnId } = await world.conversations.send(id, { input: "go" });
  const events = world.ended(id, turnId);
  await first.promise;

  await world.conversations.stop(id);

  expect(started.length).toBeLessThanOrEqual(16);
  expect(asked).toBeLessThanOrEqual(17);
  expect(ends(await events)).toHaveLength(100);
  await nextRequest(world, id);
});

for (const [what, finishReason, code, why] of [
  ["tool calls, of which there is none,", "tool-calls", "EMPTY_REPLY", '"tool-calls"'],
  ["nothing", "stop", "EMPTY_REPLY", '"stop"'],
  ["nothing at its output limit", "length", "OUTPUT_LIMIT", "output limit"],
  ["what was held back", "content-filter", "REPLY_REFUSED", "refused"],
] as const) {
  test(`a reply that ends with ${what} fails its turn and adds no message`, async () => {
    await using world = await createWorld();
    const { id, events } = await world.ask("go", () => ending(call(), finishReason));

    expect(events.at(-1)).toMatchObject({
      type: "turn-end",
      status: "failed",
      error: { code, message: expect.stringContaining(why) },
    });
    expect(events.some(({ type }) => type === "message-end")).toBe(false);
    expect((await nextRequest(world, id)).map(({ role }) => role)).toEqual(["user", "user"]);
  });
}

test("a reply of whitespace only is empty", async () => {
  await using world = await createWorld();
  const { id, events } = await world.ask("go", () => say(" \n"));

  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "EMPTY_REPLY" } });
  await nextRequest(world, id);
});

test("an empty reply after tool results completes the turn", async () => {
  await using world = await createWorld({ tools: [echo] });
  const { id, events } = await world.ask("go", callOne("echo"), () => ending(call(), "stop"));

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect((await nextRequest(world, id)).map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
});

test("progress extends a call's timeout and is shown; a silent call times out", async () => {
  let isSilent = false;
  const begun = Promise.withResolvers<(progress: { readonly progress: number }) => void>();
  const slow: Tool = {
    ...allowedTool("slow", (_, { tellProgress, signal }) => {
      if (tellProgress === undefined) return Promise.resolve("nobody listens");
      if (isSilent) return new Promise(() => {});
      begun.resolve(tellProgress);
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve("ended"));
        slowEnd.promise.then(resolve, () => undefined);
      });
    }),
    timeoutMs: 10_000,
  };
  const slowEnd = Promise.withResolvers<string>();
  await using world = await createWorld({ tools: [slow] });
  const { id } = await world.conversations.create({});
  world.scripts.push(
    callOne("slow", "{}", "a"),
    () => say("done"),
    callOne("slow", "{}", "b"),
    () => say("done"),
  );

  const first = world.turn(id, "go");
  const reportProgress = await begun.promise;
  for (let progress = 1; progress <= 4; progress += 1) {
    reportProgress({ progress });
    await world.clock.advance(9_000);
  }
  slowEnd.resolve("after 36 s");
  const events = await first;
  reportProgress({ progress: 5 });
  isSilent = true;
  const second = await world.clock.advanceUntil(world.turn(id, "again"));

  expect(ends(events)).toMatchObject([{ output: "after 36 s" }]);
  const told = [...events, ...second].flatMap((event) =>
    event.type === "tool-call-progress" ? [[event.toolCallId, event.name, event.progress]] : [],
  );
  expect(told).toEqual([1, 2, 3, 4].map((progress) => ["a", "slow", progress]));
  expect(ends(second)).toMatchObject([{ error: { code: "TOOL_TIMEOUT" } }]);
});

test("[trial:plain-tools] a synchronous tool can return or throw", async () => {
  await using world = await createWorld({
    tools: [
      allowedTool("plain", () => "at once"),
      allowedTool("broken", () => {
        throw new Error("no luck");
      }),
    ],
  });
  const { events } = await world.ask("go", () =>
    call({ toolCallId: "1", name: "plain", input: "{}" }, { toolCallId: "2", name: "broken", input: "{}" }),
  );

  expect(ends(events)).toMatchObject([
    { toolCallId: "1", output: "at once" },
    { toolCallId: "2", error: { code: "TOOL_FAILED", message: "no luck" } },
  ]);
});
