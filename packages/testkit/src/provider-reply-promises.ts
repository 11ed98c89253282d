import { expect } from "bun:test";
import { reportProblems } from "./event-problems.ts";
import type { ReplyUsage } from "./model-reply.ts";
import { ask, type ProviderWorld } from "./provider-world.ts";
import { isRetryable, vendorErrors } from "./vendor-errors.ts";

/** What is asked of what a provider makes of a vendor's replies. */
export const providerReplyPromises = {
  "finish says what was read from the vendor's cache and written to it, and tells 0 from what was not reported":
    async (world) => {
      const all = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 30 };
      const none = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const unsaid = { inputTokens: 100, outputTokens: 7 };
      // Two formats have no count of what was written; Gemini's leaves a count of 0 out.
      const hasWrites = world.wire !== "deepseek" && world.wire !== "gemini";
      const written = (count: number): number | null => (hasWrites ? count : null);
      expect(await usageOf(world, all)).toEqual({ ...all, cacheWriteTokens: written(30) });
      expect(await usageOf(world, none)).toEqual({ ...none, cacheWriteTokens: written(0) });
      expect(await usageOf(world, unsaid)).toEqual({
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
} as const satisfies Record<string, (world: ProviderWorld) => Promise<void>>;

async function usageOf(world: ProviderWorld, usage: ReplyUsage): Promise<unknown> {
  world.server.enqueue({ kind: "text", chunks: ["a"], usage });
  const end = (await ask(world)).events.at(-1);
  return end?.type === "finish" ? end.usage : end;
}
