import type { ModelEvent } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { endProblems, partProblems, reportProblems } from "../conformance/event-problems.ts";
import type { ProviderConformanceOptions } from "../conformance/provider-conformance.ts";
import { ask, textOf } from "../conformance/provider-world.ts";
import { startRecordingModelServer } from "../model-server/recording-model-server.ts";
import type { WireName } from "../model-server/wire/wire-format.ts";
import { defaultDeadlineMs } from "../model-server/wire/within.ts";
import { quirksOf } from "./all-quirks.ts";
import type { QuirkOutcome } from "./quirk.ts";

type ProviderQuirksOptions = Pick<ProviderConformanceOptions, "open" | "model" | "deadlineMs"> & {
  readonly wire: WireName;
};

/** Registers the tests of all quirks. Call it in a test file of the provider. */
export function providerQuirks(
  label: string,
  { open, model, wire, deadlineMs = defaultDeadlineMs }: ProviderQuirksOptions,
): void {
  for (const { id, does, answer, sees } of quirksOf(wire)) {
    test(`provider ${label}, quirk ${id}: ${does}`, async () => {
      await using server = await startRecordingModelServer({ wire });
      await using scope = new AsyncDisposableStack();
      const provider = await open({ server, scope });
      const { status = 200, headers = {}, body, breaks } = answer;
      server.enqueue({ kind: "error", status, headers, body, breaks: breaks !== undefined });
      if (breaks === "unread") server.release();

      const world = { provider, reopen: async () => provider, server, model, wire, deadlineMs };
      const { events } = await ask(world, {}, (event) => {
        if (breaks === "read" && isSaid(event)) server.release();
      });

      expect(seenIn(events, sees)).toMatchObject({ failure: undefined, ...sees });
      expect([...endProblems(events), ...partProblems(events), ...reportProblems(events.at(-1))]).toEqual([]);
    });
  }
}

function isSaid({ type }: ModelEvent): boolean {
  return type === "text-delta" || type === "reasoning-delta" || type === "tool-call-start";
}

function seenIn(events: readonly ModelEvent[], { failure }: QuirkOutcome): object {
  const end = events.at(-1);
  const seen: Record<keyof QuirkOutcome, unknown> = {
    text: textOf(events),
    reasoning: events.flatMap((event) => (event.type === "reasoning-delta" ? [event.text] : [])).join(""),
    calls: events.flatMap((event) => (event.type === "tool-call" ? [[event.name, JSON.parse(event.input)]] : [])),
    ...(end?.type === "finish"
      ? { ...end.usage, finishReason: end.finishReason }
      : { inputTokens: undefined, outputTokens: undefined, finishReason: undefined }),
    failure: undefined,
  };
  if (end?.type !== "failure") return seen;
  const { code, message, isRetryable } = end.error;
  // For the user, without a library's error.
  expect(message).not.toMatch(/\n|ZodError|invalid_type|Type validation/);
  const says = failure !== undefined && message.includes(failure.says) ? failure.says : message;
  const codes = failure?.codes.includes(code) === true ? failure.codes : [code];
  return { ...seen, failure: { codes, says, isRetryable } };
}
