import type { ToolDefinition } from "@incipit/schema";
import { expect } from "bun:test";
import fc from "fast-check";
import { endProblems, partProblems, reportProblems } from "./event-problems.ts";
import type { ReplyUsage, WrittenReply } from "../model-server/wire/model-reply.ts";
import { ask, type ProviderWorld } from "./provider-world.ts";
import { wireFormats } from "../model-server/wire-formats.ts";
import { isJsonObject, parseRequestJson } from "../model-server/wire/request-json.ts";
import { anthropicErrors } from "../model-server/anthropic/anthropic-errors.ts";
import { deepSeekErrors } from "../model-server/deepseek/deepseek-errors.ts";
import { geminiErrors } from "../model-server/gemini/gemini-errors.ts";
import { openAiErrors, openAiResponsesErrors } from "../model-server/openai/openai-errors.ts";
import type { VendorError } from "../model-server/wire/vendor-error.ts";
import type { WireName } from "../model-server/wire/wire-format.ts";

const tool: ToolDefinition = { name: "lookup", description: "Looks up", inputSchema: { type: "object" } };

export const providerReplyPromises = {
  "finish says what was read from the vendor's cache and written to it, and tells 0 from what was not reported":
    async (world) => {
      const all = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 30 };
      const none = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const unsaid = { inputTokens: 100, outputTokens: 7 };
      // Two formats do not count cache writes; Gemini omits a count of 0.
      const hasWrites = world.wire !== "deepseek" && world.wire !== "gemini";
      const written = (count: number): number | null => (hasWrites ? count : null);
      // May also have the reasoning share.
      expect(await usageOf(world, all)).toMatchObject({ ...all, cacheWriteTokens: written(30) });
      expect(await usageOf(world, none)).toMatchObject({ ...none, cacheWriteTokens: written(0) });
      expect(await usageOf(world, unsaid)).toMatchObject({
        ...unsaid,
        cacheReadTokens: world.wire === "gemini" ? 0 : null,
        cacheWriteTokens: null,
      });
    },
  "finish says when a reply is over because it was too long, or the vendor's filter stopped it": async (world) => {
    for (const end of ["length", "content-filter"] as const) {
      world.server.enqueue({ kind: "text", chunks: ["half"], end });
      expect((await ask(world)).events.at(-1)).toMatchObject({ type: "finish", finishReason: end });
    }
  },
  "each error that the vendor is known to send has its code, whether to try again, and how long to wait": async (
    world,
  ) => {
    const { wire } = world;
    if (wire === "none") return;
    for (const error of vendorErrors[wire]) {
      const { status, headers = {}, body, code, retryAfterMs } = error;
      world.server.enqueue({ kind: "error", status, headers, body });
      const { events } = await ask(world);
      const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
      const expected = { type: "failure", error: { code, isRetryable: isRetryable(error), ...wait } };
      expect({ body, events }).toMatchObject({ body, events: [expected] });
      expect(reportProblems(events.at(-1))).toEqual([]);
    }
  },
  "stream gives well-formed parts and one end, whatever the events of a reply hold": async (world) => {
    const { wire } = world;
    if (wire === "none") return;
    const usage = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 30 };
    const replies: readonly WrittenReply[] = [
      { kind: "text", chunks: ["a", "b"], reasoning: { text: "Hm", signature: "c2ln", redacted: "cg==" } },
      {
        kind: "tool-calls",
        text: "I look.",
        reasoning: "Hm",
        calls: ["call-1", "call-2"].map((id) => ({ id, name: "lookup", arguments: ['{"a"', ":1}"] })),
      },
    ];
    const written = replies.map((reply) => wireFormats[wire].stream(reply, { usage, number: 1 }).join(""));
    const property = fc.asyncProperty(fc.constantFrom(...written), fc.nat(), async (stream, seed) => {
      const body = mutatedEvents(stream, seed);
      world.server.enqueue({ kind: "error", status: 200, body, headers: { "content-type": "text/event-stream" } });
      const { events } = await ask(world, { tools: [tool] });
      // Repeated ids of a vendor are the caller's concern.
      const parts = partProblems(events).filter((problem) => !/^tool call .*(?:twice|two names)$/.test(problem));
      const problems = [...endProblems(events), ...parts, ...reportProblems(events.at(-1))];
      expect({ body, problems }).toEqual({ body, problems: [] });
      const texts = events.flatMap((event) =>
        "text" in event ? [event.text] : "input" in event ? [event.input] : [],
      );
      expect({ body, types: texts.map((text) => typeof text) }).toEqual({ body, types: texts.map(() => "string") });
    });
    await fc.assert(property, { numRuns: 60 });
  },
} as const satisfies Record<string, (world: ProviderWorld) => Promise<void>>;

async function usageOf(world: ProviderWorld, usage: ReplyUsage): Promise<unknown> {
  world.server.enqueue({ kind: "text", chunks: ["a"], usage });
  const end = (await ask(world)).events.at(-1);
  return end?.type === "finish" ? end.usage : end;
}

const odd: readonly unknown[] = [null, 0, -1, 1.5, "", "x", true, 1e308, "\u0000", [], {}, [null], [[]], { a: 1 }];

/** https://en.wikipedia.org/wiki/Linear_congruential_generator */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Changes a stream at random: removes, repeats or replaces values, fields and events. */
function mutatedEvents(stream: string, seed: number): string {
  const random = generator(seed);
  const chance = (share: number): boolean => random() < share;
  const mutate = (value: unknown): unknown => {
    if (chance(0.06)) return odd[Math.floor(random() * odd.length)];
    if (Array.isArray(value)) {
      const entries: readonly unknown[] = value.map(mutate);
      return chance(0.05) ? [...entries, ...entries] : chance(0.05) ? entries.slice(1) : entries;
    }
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value).filter(() => !chance(0.04));
    return Object.fromEntries(fields.map(([key, inner]) => [key, mutate(inner)]));
  };
  return stream
    .split(/\r?\n\r?\n/)
    .flatMap((event) => (chance(0.05) ? [] : chance(0.05) ? [event, event] : [event]))
    .map((event) =>
      event.replace(/data: (.*)$/, (line, data: string) => {
        const json = parseRequestJson(data)?.value;
        return isJsonObject(json) && chance(0.5) ? `data: ${JSON.stringify(mutate(json))}` : line;
      }),
    )
    .join("\n\n");
}

/** Worth a retry when no output was shown. */
const retryable = new Set(["RATE_LIMITED", "OVERLOADED", "VENDOR_FAILED"]);

function isRetryable({ code }: VendorError): boolean {
  return retryable.has(code);
}

const vendorErrors: Readonly<Record<WireName, readonly VendorError[]>> = {
  "openai-chat": openAiErrors,
  deepseek: deepSeekErrors,
  "openai-responses": [...openAiErrors, ...openAiResponsesErrors],
  anthropic: anthropicErrors,
  gemini: geminiErrors,
};
