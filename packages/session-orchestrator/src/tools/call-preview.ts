import { errorMessage, type Clock } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { settle } from "../waits/next-event.ts";

/** A person waits for the question meanwhile. */
const timeoutMs = 5_000;
/** In UTF-16 units; the arguments themselves are shown whole. */
const maxLength = 262_144;

export interface PreviewOptions {
  readonly conversationId: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a call would change, as its tool tells it to a person who is asked. `undefined`: the tool tells nothing. Never rejects. */
export async function previewOf(tool: Tool, input: object, options: PreviewOptions): Promise<string | undefined> {
  if (tool.preview === undefined) return undefined;
  const { conversationId, cwd, clock, signal } = options;
  const ended = new AbortController();
  try {
    const called = { conversationId, cwd, signal: AbortSignal.any([signal, ended.signal]) };
    const tell = async (): Promise<string | undefined> => tool.preview?.(input, called);
    const next = await settle(tell(), { timeoutMs, clock, signal });
    if (next.kind !== "value") return `"${tool.name}" did not say in time what it would change`;
    return cut(z.string().parse(next.value)); // A tool of another's may be plain JavaScript.
  } catch (error) {
    return cut(`"${tool.name}" cannot say what it would change: ${errorMessage(error)}`);
  } finally {
    ended.abort();
  }
}

function cut(text: string): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}\n[cut: ${text.length - maxLength} more characters]`;
}
