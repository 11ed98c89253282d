import type { JsonValue } from "@incipit/kernel";
import type { ModelMessage, ToolDefinition } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import { expect } from "bun:test";
import { endProblems, partProblems, reportProblems } from "./event-problems.ts";
import {
  ask,
  bodyOf,
  callsOf,
  newRequest,
  roundTrips,
  textOf,
  user,
  type ProviderWorld,
} from "./provider-world.ts";
import { within } from "../model-server/wire/within.ts";

const tools: readonly ToolDefinition[] = ["alpha_tool", "beta_tool"].map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object", properties: { x: { type: "number" } } },
}));

/** Unusual formatting in the arguments of a call. */
const history: readonly ModelMessage[] = [
  user('NUL \u0000, "quotes", line\nbreak, é 漢 🎉'),
  {
    role: "assistant",
    parts: [
      { type: "text", text: "I look." },
      { type: "tool-call", toolCallId: "call-1", name: "alpha_tool", input: '{ "x" : 1.0,"a":"\\u00e9" }' },
    ],
  },
  {
    role: "tool",
    parts: [{ type: "tool-result", toolCallId: "call-1", name: "alpha_tool", output: "done", isError: false }],
  },
  { role: "assistant", parts: [{ type: "text", text: "It is done." }] },
  user("And then?"),
];

const systemFields = new Set(["system", "systemPrompt", "systemInstruction", "system_instruction", "instructions"]);

export const providerPromises = {
  "id is a name without a slash, models are names, each once, and both stay what they are": async ({
    provider,
  }) => {
    expect(provider.id).toMatch(/^[^/\s]+$/);
    expect(provider.models.every((name) => typeof name === "string" && name.trim() !== "")).toBe(true);
    expect(new Set(provider.models).size).toBe(provider.models.length);
    if (provider.isClosedList === true) expect(provider.models).not.toEqual([]);
    expect([provider.id, provider.models]).toEqual([provider.id, provider.models]);
  },
  "problem is null when nothing is missing": async ({ provider }) => {
    expect(provider.problem).toBeNull();
  },
  "stream ends with exactly one finish or failure": async (world) => {
    const { events } = await ask(world);
    expect(endProblems(events)).toEqual([]);
    expect(events.at(-1)?.type).toBe("finish");
  },
  "stream gives well-formed parts: each starts once, deltas are inside, none is open at finish": async (world) => {
    const { events } = await ask(world);
    expect(partProblems(events)).toEqual([]);
    expect(textOf(events)).not.toBe("");
  },
  "stream says with its end what was used and why it ended": async (world) => {
    const { events } = await ask(world);
    expect(reportProblems(events.at(-1))).toEqual([]);
  },
  "stream gives one failure, and sends nothing, when it was stopped before": async (world) => {
    const { events } = await ask(world, { signal: AbortSignal.abort() });
    expect(events.map(({ type }) => type)).toEqual(["failure"]);
    expect(callsOf(world.server)).toEqual([]);
  },
  "stream ends with exactly one finish or failure when it is stopped in the middle": async (world) => {
    const { provider, server, deadlineMs } = world;
    server.enqueue({ kind: "text", chunks: ["one ", "two"], gate: true });
    const stop = new AbortController();
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of provider.stream(newRequest(world, { signal: stop.signal }))) {
        events.push(event);
        stop.abort();
      }
    })();
    await within(reading, { what: "the stream to end after it was stopped", deadlineMs });
    expect(endProblems(events)).toEqual([]);
  },
  "stream awaits observe before anything is sent or given": async (world) => {
    const { provider, server, deadlineMs } = world;
    const asked = Promise.withResolvers<void>();
    const recorded = Promise.withResolvers<void>();
    const observe = (): Promise<void> => {
      asked.resolve();
      return recorded.promise;
    };
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of provider.stream(newRequest(world, { observe }))) events.push(event);
      asked.reject(new Error("The stream has ended, and observe was not called: hand it to host.net.fetch"));
    })();
    await within(asked.promise, { what: "observe to be called", deadlineMs });
    await roundTrips(world);
    expect({ events, sent: callsOf(server).length }).toEqual({ events: [], sent: 0 });
    recorded.resolve();
    await within(reading, { what: "the stream to end", deadlineMs });
    expect(events.at(-1)?.type).toBe("finish");
  },
  "stream ends in one failure, and sends nothing, when the request cannot be recorded": async (world) => {
    const { events } = await ask(world, { observe: () => Promise.reject(new Error("disk full")) });
    expect(events.map(({ type }) => type)).toEqual(["failure"]);
    expect(callsOf(world.server)).toEqual([]);
  },
  "stream writes the same request as the same bytes, after a restart and from stored messages too": async (
    world,
  ) => {
    const request = { tools, messages: history };
    const first = bodyOf(await ask(world, request));
    expect(bodyOf(await ask(world, request))).toBe(first);
    expect(bodyOf(await ask(world, { tools, messages: history.map(storedAndRead) }))).toBe(first);
    expect(bodyOf(await ask({ ...world, provider: await world.reopen() }, request))).toBe(first);
  },
  "stream writes a longer history so that the shorter one is a byte prefix of it": async (world) => {
    const bodies: string[] = [];
    for (const length of [1, 3, 5])
      bodies.push(bodyOf(await ask(world, { tools, messages: history.slice(0, length) })));
    for (const [index, body] of bodies.entries())
      if (index > 0) expect(content(body)).toStartWith(withoutClosing(content(bodies[index - 1] ?? "")));
  },
  "stream writes the system texts in order, before the messages": async (world) => {
    const body = bodyOf(await ask(world, { systemPrompt: ["First rule.", "Second rule."] }));
    const places = ["First rule.", "Second rule.", "Hello?"].map((text) => body.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  },
  "stream writes no system field when there is no system text": async (world) => {
    const body: unknown = JSON.parse(bodyOf(await ask(world, { systemPrompt: [] })));
    expect(Object.keys(Object(body)).filter((key) => systemFields.has(key))).toEqual([]);
    expect(rolesIn(body)).not.toContain("system");
    expect(rolesIn(body)).not.toContain("developer");
  },
  "stream writes the tools in the order in which they were given": async (world) => {
    const body = bodyOf(await ask(world, { tools }));
    expect(body.indexOf("alpha_tool")).toBeGreaterThan(-1);
    expect(body.indexOf("beta_tool")).toBeGreaterThan(body.indexOf("alpha_tool"));
  },
  "stream does not mix two that run at once": async (world) => {
    const [first, second] = await Promise.all(
      ["first-question", "second-question"].map((text) =>
        ask(world, { conversationId: `conversation of ${text}`, messages: [user(text)] }),
      ),
    );
    if (first === undefined || second === undefined) throw new Error("Both were asked");
    expect([bodyOf(first).includes("first-question"), bodyOf(first).includes("second-question")]).toEqual([
      true,
      false,
    ]);
    expect([bodyOf(second).includes("second-question"), bodyOf(second).includes("first-question")]).toEqual([
      true,
      false,
    ]);
    expect(textOf(first.events)).not.toContain("second-question");
    expect(textOf(second.events)).not.toContain("first-question");
    expect([...partProblems(first.events), ...partProblems(second.events)]).toEqual([]);
    expect([...endProblems(first.events), ...endProblems(second.events)]).toEqual([]);
  },
  "stream does not throw for a model that it does not know: a closed list refuses it in one failure": async (
    world,
  ) => {
    const { provider } = world;
    const { events } = await ask(world, { model: "no-such-model" });
    expect(endProblems(events)).toEqual([]);
    if (provider.isClosedList === true) expect(events.map(({ type }) => type)).toEqual(["failure"]);
  },
  "stream does not throw for an odd history: none, an empty message, arguments that are no JSON": async (world) => {
    const histories: readonly (readonly ModelMessage[])[] = [
      [],
      [
        { role: "user", parts: [] },
        { role: "assistant", parts: [{ type: "text", text: "" }] },
      ],
      [
        user("Go on"),
        { role: "assistant", parts: [{ type: "tool-call", toolCallId: "t", name: "gone", input: '{"cut' }] },
        {
          role: "tool",
          parts: [{ type: "tool-result", toolCallId: "t", name: "gone", output: "", isError: true }],
        },
      ],
    ];
    for (const messages of histories) {
      const { events } = await ask(world, { messages });
      expect(endProblems(events)).toEqual([]);
    }
  },
  "stream ends for a consumer that leaves early, and can be asked again": async (world) => {
    const { provider, server, deadlineMs } = world;
    server.enqueue({ kind: "text", chunks: ["one ", "two"], gate: true });
    const leaving = (async () => {
      for await (const _event of provider.stream(newRequest(world))) break;
    })();
    await within(leaving, { what: "the stream to let its consumer go", deadlineMs });
    expect((await ask(world)).events.at(-1)?.type).toBe("finish");
  },
} as const satisfies Record<string, (world: ProviderWorld) => Promise<void>>;

/** Reorders the keys of a value, as storage may return them. */
function storedAndRead<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_key, part: JsonValue) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toReversed())
      : part,
  );
}

/** Anthropic's breakpoints move with the conversation and are not part of the cache key. */
function content(body: string): string {
  return body.replaceAll(/,"cache_control":\{[^{}]*\}/g, "");
}

function withoutClosing(body: string): string {
  return body.replace(/[\]}\s]+$/, "");
}

function rolesIn(body: unknown): readonly string[] {
  const roles: string[] = [];
  JSON.stringify(body, (key, value: unknown) => {
    if (key === "role" && typeof value === "string") roles.push(value);
    return value;
  });
  return roles;
}
