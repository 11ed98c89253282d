import { errorMessage, type Clock } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { settle } from "../waits/next-event.ts";

/** A person waits for the question meanwhile. */
const timeoutMs = 5_000;
/** In UTF-16 units; the arguments themselves are shown whole. */
const maxLength = 262_144;
const maxCutWords = 64;

export interface PreviewOptions {
  readonly conversationId: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface CallPreview {
  /** For people; cut where it is too long. */
  readonly text: string;
  /** As the tool told it, by which the tool knows it again; absent: it told nothing. */
  readonly whole?: string;
}

/** What a call would change, as its tool tells it to a person who is asked. `undefined`: the tool tells nothing. Never rejects. */
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
    const whole = z.string().parse(next.value); // A tool of another's may be plain JavaScript.
    return { text: cutPreview(whole).text, whole };
  } catch (error) {
    return { text: cutPreview(`"${tool.name}" cannot say what it would change: ${errorMessage(error)}`).text };
  } finally {
    ended.abort();
  }
}

/** Clips a preview. Idempotent: what it adds is not counted. */
export function cutPreview(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= maxLength + maxCutWords) return { text, isCut: false };
  const words = `\n[cut: ${text.length - maxLength} more characters]`;
  return { text: text.slice(0, maxLength).toWellFormed() + words, isCut: true };
}
