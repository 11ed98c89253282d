import type { MessagePart, ModelMessage } from "@incipit/schema";
import type { ChatMessage } from "@incipit/transport-contract";
import { textOf, toUserParts } from "./content-parts.ts";
import { invalidField } from "./invalid-field.ts";

/** Beyond what any vendor gives. */
const maxIdLength = 200;

type AssistantMessage = Extract<ChatMessage, { readonly role: "assistant" }>;
type ToolMessage = Extract<ChatMessage, { readonly role: "tool" }>;

interface OpenCall {
  /** As vendors are told it. */
  readonly toolCallId: string;
  readonly name: string;
}

/** What a client said, for a model. */
export interface ChatHistory {
  /** Texts of messages with the role `system` or `developer`, wherever they stand, in their order. */
  readonly system: readonly string[];
  readonly messages: readonly ModelMessage[];
}

/**
 * The messages of a client as a history that every vendor takes: each tool call has one result right behind it, and an id of
 * its own. An id that was used before, which some clients do, gets a number; always the same one, so that a prefix stays one.
 * @throws {ServiceError} `INVALID_REQUEST` that names the message.
 */
export function toHistory(messages: readonly ChatMessage[]): ChatHistory {
  const history = new History();
  for (const [index, message] of messages.entries()) history.add(message, `messages.${index}`);
  return history.end();
}

class History {
  readonly #system: string[] = [];
  readonly #messages: ModelMessage[] = [];
  readonly #lastCount = new Map<string, number>();
  readonly #usedIds = new Set<string>();
  /** Calls of the last message that have no result, by the id that the client knows. */
  readonly #open = new Map<string, OpenCall>();
  #openField = "";
  #results: MessagePart[] = [];

  add(message: ChatMessage, field: string): void {
    switch (message.role) {
      case "system":
      case "developer":
        this.#system.push(textOf(message.content));
        return;
      case "user":
        this.#assertAnswered();
        this.#messages.push({ role: "user", parts: toUserParts(message.content, field) });
        return;
      case "assistant":
        this.#assertAnswered();
        this.#addAssistant(message, field);
        return;
      case "tool":
        this.#addResult(message, field);
    }
  }

  end(): ChatHistory {
    this.#assertAnswered();
    return { system: this.#system, messages: this.#messages };
  }

  #addAssistant(
    { content: given, refusal, reasoning_content: reasoning, tool_calls: calls }: AssistantMessage,
    field: string,
  ): void {
    const content = given ?? refusal; // OpenAI's own replies have one or the other.
    const text = content === null || content === undefined ? "" : textOf(content);
    const parts: MessagePart[] = [];
    if (reasoning) parts.push({ type: "reasoning", text: reasoning.toWellFormed() });
    if (text !== "" || !calls?.length) parts.push({ type: "text", text });
    if (text === "" && !calls?.length && typeof content !== "string")
      throw invalidField(field, "must have `content` or `tool_calls`");
    for (const [index, { id, function: called }] of (calls ?? []).entries()) {
      if (this.#open.has(id))
        throw invalidField(`${field}.tool_calls.${index}.id`, `"${id}" is the id of another call of this message`);
      const open = { toolCallId: this.#unused(id), name: called.name };
      this.#open.set(id, open);
      parts.push({ type: "tool-call", ...open, input: called.arguments.toWellFormed() });
    }
    this.#openField = field;
    this.#results = [];
    this.#messages.push({ role: "assistant", parts });
  }

  #addResult({ tool_call_id: id, content }: ToolMessage, field: string): void {
    const call = this.#open.get(id);
    if (call === undefined) {
      const rule = `must be the id of a call of the assistant's message before, which has no result yet ("${id.slice(0, 100)}" is not one)`;
      throw invalidField(`${field}.tool_call_id`, rule);
    }
    this.#open.delete(id);
    if (this.#results.length === 0) this.#messages.push({ role: "tool", parts: this.#results });
    this.#results.push({ type: "tool-result", ...call, output: textOf(content), isError: false });
  }

  #assertAnswered(): void {
    if (this.#open.size === 0) return;
    const ids = [...this.#open.keys()].slice(0, 10).map((id) => `"${id.slice(0, 100)}"`);
    const rule = `must be followed by a message with the role "tool" for each call; without a result: ${ids.join(", ")}`;
    throw invalidField(`${this.#openField}.tool_calls`, rule);
  }

  #unused(given: string): string {
    const base = given.slice(0, maxIdLength).toWellFormed() || "call";
    // From where it came to last: a history may repeat one id any number of times.
    let count = this.#lastCount.get(base) ?? 1;
    let id = count === 1 ? base : `${base}-${count}`;
    while (this.#usedIds.has(id)) id = `${base}-${(count += 1)}`;
    this.#lastCount.set(base, count);
    this.#usedIds.add(id);
    return id;
  }
}
