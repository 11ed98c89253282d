import { errorMessage, type Clock } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { settle } from "../waits/settle.ts";

/** Timeout of a preview; short, because the user waits for it. */
const timeoutMs = 5_000;
/** In UTF-16 units; the arguments are always shown completely. */
const maxLength = 262_144;
const maxCutWords = 64;

export interface PreviewOptions {
  readonly conversationId: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface CallPreview {
  readonly text: string;
  /** Untruncated, so that the tool can recognize it. */
  readonly whole?: string;
}

/** Never rejects. */
export async function previewOf(
  tool: Tool,
  input: object,
  options: PreviewOptions,
): Promise<CallPreview | undefined> {
  if (tool.preview === undefined) return undefined;
  const { conversationId, cwd, clock, signal } = options;
  const ended = new AbortController();
  try {
    const called = { conversationId, cwd, signal: AbortSignal.any([signal, ended.signal]) };
    const tell = async (): Promise<string | undefined> => tool.preview?.(input, called);
    const next = await settle(tell(), { timeoutMs, clock, signal });
    if (next.kind !== "value") return { text: `"${tool.name}" did not say in time what it would change` };
    const whole = z.string().parse(next.value); // Third-party tools may return any value.
    return { text: cutPreview(whole).text, whole };
  } catch (error) {
    return { text: cutPreview(`"${tool.name}" cannot say what it would change: ${errorMessage(error)}`).text };
  } finally {
    ended.abort();
  }
}

/** Idempotent: the added note does not count. */
export function cutPreview(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= maxLength + maxCutWords) return { text, isCut: false };
  const words = `\n[cut: ${text.length - maxLength} more characters]`;
  return { text: text.slice(0, maxLength).toWellFormed() + words, isCut: true };
}
