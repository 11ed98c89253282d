import type { ModelMessage } from "@incipit/schema";
import type { DeferredTools, ModelRequest } from "@incipit/service-contract";
import { isDeepStrictEqual } from "node:util";

interface Sent {
  readonly model: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  /** Affects whether the vendor accepts the reasoning in it. */
  readonly reasoningFor: string;
  readonly lookedUp: DeferredTools | undefined;
  /** JSON of all entries, without brackets. */
  readonly text: string;
}

export interface SentBefore {
  readonly count: number;
  readonly text: string;
}

const maxConversations = 16;

/**
 * A request encodes only its new messages, so that a call costs the same at turn 1 and at turn 1,000. A request for a
 * JSON answer is not cached, because a package may write its format into the messages.
 */
export class SentMessages {
  readonly #sent = new Map<string, Sent>();

  /** `count` is 0 if nothing is cached. */
  find(request: ModelRequest): SentBefore {
    const { conversationId, model, systemPrompt, messages } = request;
    const sent = asksForJson(request) ? undefined : this.#sent.get(conversationId);
    const isPrefix =
      sent !== undefined &&
      sent.model === model &&
      sent.reasoningFor === reasoningFor(request) &&
      isDeepStrictEqual(sent.lookedUp?.named, request.lookedUp?.named) &&
      sent.systemPrompt.length === systemPrompt.length &&
      sent.systemPrompt.every((text, index) => text === systemPrompt[index]) &&
      sent.messages.length <= messages.length &&
      sent.messages.every((message, index) => isSameMessage(message, messages[index])) &&
      sent.messages.every((message) => hasFoundTheSame(message, sent.lookedUp, request.lookedUp));
    return isPrefix ? { count: sent.messages.length, text: sent.text } : { count: 0, text: "" };
  }

  keep(request: ModelRequest, text: string): void {
    if (asksForJson(request)) return;
    const { conversationId, model, systemPrompt, messages, lookedUp } = request;
    this.#sent.delete(conversationId);
    const copied = { systemPrompt: [...systemPrompt], messages: [...messages] };
    this.#sent.set(conversationId, { model, ...copied, reasoningFor: reasoningFor(request), lookedUp, text });
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > maxConversations && oldest !== undefined) this.#sent.delete(oldest);
  }
}

function reasoningFor({ settings }: ModelRequest): string {
  return JSON.stringify([settings?.reasoningEffort === "none", settings?.vendorFields?.["thinking"]]);
}

function asksForJson({ settings }: ModelRequest): boolean {
  return settings?.responseFormat !== undefined;
}

function isSameMessage(a: ModelMessage, b: ModelMessage | undefined): boolean {
  if (a === b) return true;
  return (
    b !== undefined &&
    a.role === b.role &&
    a.parts.length === b.parts.length &&
    a.parts.every((part, index) => isDeepStrictEqual(part, b.parts[index]))
  );
}

function hasFoundTheSame(
  { role, parts }: ModelMessage,
  before: DeferredTools | undefined,
  after: DeferredTools | undefined,
): boolean {
  if (role !== "tool" || (before === undefined && after === undefined)) return true;
  return parts.every(
    (part) =>
      part.type !== "tool-result" ||
      isDeepStrictEqual(before?.found.get(part.toolCallId), after?.found.get(part.toolCallId)),
  );
}
