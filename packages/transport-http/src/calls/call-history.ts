import type { MessagePart, ModelMessage } from "@incipit/schema";
import { invalidField } from "./invalid-field.ts";

/** Longer than the ids of any vendor. */
const maxIdLength = 200;

export interface GivenCall {
  readonly type: "call";
  readonly id: string;
  readonly field: string;
  readonly name: string;
  readonly input: string;
}

export interface GivenResult {
  readonly id: string;
  readonly field: string;
  readonly output: string;
  readonly isError: boolean;
}

export interface ClientHistory {
  /** From any position, in order. */
  readonly system: readonly string[];
  readonly messages: readonly ModelMessage[];
}

export interface HistoryWords {
  readonly callsField: string;
  readonly unanswered: string;
  readonly unknownCall: string;
}

interface OpenCall {
  readonly toolCallId: string;
  readonly name: string;
}

/**
 * Every vendor accepts the history: each tool call is followed by one result, and ids are unique. A reused id gets a
 * deterministic number, so that prefixes stay stable. Methods throw {ServiceError} `INVALID_REQUEST` that names the
 * field.
 */
export class CallHistory {
  readonly #words: HistoryWords;
  readonly #messages: ModelMessage[] = [];
  readonly #lastCount = new Map<string, number>();
  readonly #usedIds = new Set<string>();
  readonly #open = new Map<string, OpenCall>();
  #openField = "";
  #results: MessagePart[] = [];

  constructor(words: HistoryWords) {
    this.#words = words;
  }

  addUser(parts: readonly MessagePart[]): void {
    this.assertAnswered();
    this.#messages.push({ role: "user", parts });
  }

  addAssistant(said: readonly (MessagePart | GivenCall)[], field: string): void {
    this.assertAnswered();
    const parts = said.map((part): MessagePart => {
      if (part.type !== "call") return part;
      const { id, name, input } = part;
      if (this.#open.has(id)) throw invalidField(part.field, `"${id}" is the id of another call of this message`);
      const open = { toolCallId: this.#unused(id), name };
      this.#open.set(id, open);
      return { type: "tool-call", ...open, input: input.toWellFormed() };
    });
    this.#openField = field;
    this.#results = [];
    this.#messages.push({ role: "assistant", parts });
  }

  addResult({ id, field, output, isError }: GivenResult): void {
    const call = this.#open.get(id);
    if (call === undefined)
      throw invalidField(field, `${this.#words.unknownCall} ("${id.slice(0, 100)}" is not one)`);
    this.#open.delete(id);
    if (this.#results.length === 0) this.#messages.push({ role: "tool", parts: this.#results });
    this.#results.push({ type: "tool-result", ...call, output, isError });
  }

  assertAnswered(): void {
    if (this.#open.size === 0) return;
    const ids = [...this.#open.keys()].slice(0, 10).map((id) => `"${id.slice(0, 100)}"`);
    const { callsField, unanswered } = this.#words;
    throw invalidField(`${this.#openField}.${callsField}`, `${unanswered}; without a result: ${ids.join(", ")}`);
  }

  end(): readonly ModelMessage[] {
    this.assertAnswered();
    return this.#messages;
  }

  #unused(given: string): string {
    const base = given.slice(0, maxIdLength).toWellFormed() || "call";
    // Continues from the last number: a history may repeat an id any number of times.
    let count = this.#lastCount.get(base) ?? 1;
    let id = count === 1 ? base : `${base}-${count}`;
    while (this.#usedIds.has(id)) id = `${base}-${(count += 1)}`;
    this.#lastCount.set(base, count);
    this.#usedIds.add(id);
    return id;
  }
}
