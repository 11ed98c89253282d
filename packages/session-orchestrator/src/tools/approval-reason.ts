import type { Tool } from "@incipit/service-contract";
import type { Clock } from "@incipit/kernel";
import * as z from "zod";
import { settle } from "../waits/next-event.ts";

const timeoutMs = 10_000;
const answerSchema = z.string().optional();

export async function approvalReason(
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
  // A separate signal, because a tool could modify the turn's own.
  const called = { conversationId, cwd, signal: AbortSignal.any([signal]) };
  // Third-party tools may return synchronously.
  const told = async (): Promise<unknown> => tool.mustAsk?.(input, called);
  try {
    const next = await settle(told(), { timeoutMs, clock, signal });
    if (next.kind === "value") return answerSchema.parse(next.value);
    return "Determining what this call would change took too long";
  } catch {
    // Without an answer, grants do not apply.
    return "Cannot determine what this call would change";
  }
}
