import type { ToolDefinition } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import { expect } from "bun:test";
import { endProblems, partProblems, reportProblems } from "./event-problems.ts";
import {
  ask,
  bodyOf,
  callsOf,
  collect,
  newRequest,
  roundTrips,
  textOf,
  type ProviderWorld,
} from "./provider-world.ts";
import type { ModelReply } from "../model-server/wire/model-reply.ts";
import { within } from "../model-server/wire/within.ts";

const tool: ToolDefinition = { name: "lookup", description: "Looks up", inputSchema: { type: "object" } };
const toolInput = '{ "b" : 1,\n"a":"é\\u0000" }';

export const providerWirePromises = {
  "stream sends what observe was told of, byte for byte, in one request": async (world) => {
    const asked = await ask(world, { tools: [tool] });
    expect(callsOf(world.server).map(({ body }) => body)).toEqual([bodyOf(asked)]);
  },
  "stream gives the text of the reply whole and in order": async (world) => {
    world.server.enqueue({ kind: "text", chunks: ["Hel", "lo, ", "é 漢 🎉"] });
    const { events } = await ask(world);
    expect(textOf(events)).toBe("Hello, é 漢 🎉");
    expect(events.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  },
  "finish says null for usage that was not reported": async (world) => {
    world.server.enqueue({ kind: "text", chunks: ["a"] }, { kind: "text", chunks: ["a"], usage: "absent" });
    const unreported = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
    expect((await ask(world)).events.at(-1)).toMatchObject({ usage: { inputTokens: 20, outputTokens: 5 } });
    if (callsOf(world.server)[0]?.isStreamed === true)
      expect((await ask(world)).events.at(-1)).toMatchObject({ usage: unreported });
  },
  "tool calls come with id, name and JSON input as the model wrote it": async (world) => {
    world.server.enqueue({
      kind: "tool-calls",
      calls: [
        { id: "call-1", name: "lookup", arguments: [toolInput.slice(0, 9), toolInput.slice(9)] },
        { id: "call-2", name: "lookup", arguments: "{}" },
      ],
    });
    const { events } = await ask(world, { tools: [tool] });
    const calls = events.filter(({ type }) => type === "tool-call");
    // Gemini's arguments are values without a spelling.
    const input = world.wire === "gemini" ? JSON.stringify(JSON.parse(toolInput)) : toolInput;
    expect(calls).toHaveLength(2);
    expect(calls).toMatchObject([
      { toolCallId: "call-1", name: "lookup", input },
      { toolCallId: "call-2", name: "lookup", input: "{}" },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "finish", finishReason: "tool-calls" });
    expect(partProblems(events)).toEqual([]);
  },
  "a reply that is cut off ends in one failure, and its tool calls are not given": async (world) => {
    const cut: readonly ModelReply[] = [
      { kind: "cut", chunks: ["half a"] },
      { kind: "tool-calls", calls: [{ id: "call-1", name: "lookup", arguments: ['{"a":', "1"] }], isCut: true },
    ];
    for (const reply of cut) {
      world.server.enqueue(reply);
      const { events } = await ask(world, { tools: [tool] });
      if (callsOf(world.server).at(-1)?.isStreamed !== true) continue;
      expect(endProblems(events)).toEqual([]);
      expect(events.at(-1)?.type).toBe("failure");
      expect(events.filter(({ type }) => type === "tool-call")).toEqual([]);
    }
  },
  "a failure has the code of what happened, and says whether to try again": async (world) => {
    const cases = [
      [400, "BAD_REQUEST", false],
      [401, "UNAUTHORIZED", false],
      [429, "RATE_LIMITED", true],
      [503, "OVERLOADED", true],
    ] as const;
    for (const [status, code, isRetryable] of cases) {
      world.server.enqueue({ kind: "error", status, body: '{"error":{"message":"no"}}' });
      const { events } = await ask(world);
      expect(events).toMatchObject([{ type: "failure", error: { code, isRetryable } }]);
      expect(reportProblems(events.at(-1))).toEqual([]);
    }
  },
  "a failure hands on how long the vendor asks to wait": async (world) => {
    world.server.enqueue({ kind: "error", status: 429, body: "slow down", headers: { "retry-after": "7" } });
    expect((await ask(world)).events).toMatchObject([{ type: "failure", error: { retryAfterMs: 7_000 } }]);
  },
  "a failure holds no secret, also when the vendor repeats the key": async (world) => {
    await ask(world);
    const secrets = secretsIn(callsOf(world.server)[0]?.headers ?? {});
    const message = `Incorrect API key provided: ${secrets.join(", ")}`;
    world.server.enqueue({ kind: "error", status: 401, body: JSON.stringify({ error: { message } }) });
    const { events } = await ask(world);
    for (const secret of secrets) expect(JSON.stringify(events)).not.toContain(secret);
  },
  "stream does not throw, whatever the endpoint answers: one failure": async (world) => {
    const replies: readonly ModelReply[] = [
      { kind: "broken-json" },
      { kind: "error-event", chunks: [], error: { message: "overloaded", code: 503 } },
      { kind: "error", status: 500, body: "<html>" },
      { kind: "error", status: 200, body: "" },
      { kind: "error", status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } },
    ];
    for (const reply of replies) {
      world.server.enqueue(reply);
      const { events } = await ask(world);
      expect(endProblems(events)).toEqual([]);
      expect(events.at(-1)?.type).toBe("failure");
    }
  },
  "stream does not throw when the connection breaks or nobody listens: one failure": async (world) => {
    const { server, provider, deadlineMs } = world;
    server.enqueue({ kind: "never" });
    const breaking = collect(() => provider.stream(newRequest(world)));
    await within(server.waitForRequests(1), { what: "the request", deadlineMs });
    await server.cutConnections();
    const broken = await within(breaking, { what: "the stream to end after its connection broke", deadlineMs });
    await server[Symbol.asyncDispose]();
    const unreachable = (await ask(world)).events;
    expect(broken.map(({ type }) => type)).toEqual(["failure"]);
    expect(unreachable).toMatchObject([{ type: "failure", error: { code: "UNREACHABLE", isRetryable: true } }]);
  },
  "stream that is stopped while the endpoint is silent ends in one failure, and hangs up": async (world) => {
    const { server, provider, deadlineMs } = world;
    server.enqueue({ kind: "never" });
    const stop = new AbortController();
    const reading = collect(() => provider.stream(newRequest(world, { signal: stop.signal })));
    await within(server.waitForRequests(1), { what: "the request", deadlineMs });
    stop.abort();
    const events = await within(reading, { what: "the stream to end after it was stopped", deadlineMs });
    expect(events.map(({ type }) => type)).toEqual(["failure"]);
    await hangsUp(world);
  },
  "stream hangs up when its consumer leaves": async (world) => {
    const { server, provider, deadlineMs } = world;
    server.enqueue({ kind: "text", chunks: ["one ", "two"], gate: true });
    const leaving = (async () => {
      for await (const _event of provider.stream(newRequest(world))) break;
    })();
    await within(leaving, { what: "the stream to let its consumer go", deadlineMs });
    if (callsOf(server)[0]?.endedAtMs === undefined) await hangsUp(world);
  },
  "stream does not mix the replies of two that run at once": async (world) => {
    const { server, provider, deadlineMs } = world;
    server.enqueue(
      { kind: "text", chunks: ["A1 ", "A2 ", "A3"], gate: true },
      { kind: "text", chunks: ["B1 ", "B2 ", "B3"], gate: true },
    );
    const readings: Promise<readonly ModelEvent[]>[] = [];
    for (const conversationId of ["a", "b"]) {
      readings.push(collect(() => provider.stream(newRequest(world, { conversationId }))));
      const count = readings.length;
      await within(
        server.waitFor(() => callsOf(server).length >= count),
        { what: "the request", deadlineMs },
      );
    }
    await roundTrips(world);
    for (let count = 0; count < 16; count += 1) server.release();
    const [first = [], second = []] = await within(Promise.all(readings), {
      what: "both streams to end",
      deadlineMs,
    });
    expect([textOf(first), textOf(second)]).toEqual(["A1 A2 A3", "B1 B2 B3"]);
    expect([...partProblems(first), ...partProblems(second)]).toEqual([]);
  },
} as const satisfies Record<string, (world: ProviderWorld) => Promise<void>>;

function hangsUp({ server, deadlineMs }: ProviderWorld): Promise<void> {
  const hungUp = server.waitFor(() => callsOf(server)[0]?.isAborted === true);
  return within(hungUp, { what: "the connection to be closed", deadlineMs });
}

/** Credentials without their scheme. */
function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => /authorization|key|token|secret/.test(name))
    .map(([, value]) => value.replace(/^\w+ /, ""));
}
