import type { Tool } from "@incipit/service-contract";
import type { Clock } from "@incipit/kernel";
import * as z from "zod";
import { settle } from "../waits/next-event.ts";

const timeoutMs = 10_000;
const answerSchema = z.string().optional();

/** Why a person is asked about a call whatever was allowed for its tool; `undefined`: what was allowed counts. */
export async function reasonToAsk(
  tool: Tool,
  input: object,
  {
    conversationId,
    cwd,
    clock,
    signal,
  }: {
    readonly conversationId: string;
    readonly cwd: string;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  if (tool.mustAsk === undefined) return undefined;
  // A signal of its own: what is put into the turn's would hold for all that ask it whether the turn was stopped.
  const called = { conversationId, cwd, signal: AbortSignal.any([signal]) };
  // A tool of another's may be plain JavaScript, and answer at once.
  const told = async (): Promise<unknown> => tool.mustAsk?.(input, called);
  try {
    const next = await settle(told(), { timeoutMs, clock, signal });
    if (next.kind === "value") return answerSchema.parse(next.value);
    return "It took too long to tell what this call would touch";
  } catch {
    // A tool that cannot tell is not to be trusted with what was allowed.
    return "It cannot be told what this call would touch";
  }
}
