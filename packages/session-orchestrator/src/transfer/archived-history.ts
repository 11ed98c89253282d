import { turnInputSchema, type Message, type MessagePart, type TurnEvent } from "@incipit/schema";
import type { StoredConversation } from "../store/stored.ts";
import { keptFileProblem } from "../tools/tool-files.ts";
import { toolNamePattern } from "../store/tool-list.ts";

const maxOpen = 1_000;

const partsOfRole = {
  user: new Set(["text", "file"]),
  assistant: new Set(["text", "reasoning", "tool-call"]),
  tool: new Set(["tool-result"]),
} as const satisfies Record<Message["role"], ReadonlySet<string>>;

/** Longer than any id of a host. */
const maxCallIdLength = 1_000;

function textsOf(part: MessagePart): readonly string[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [part.text];
    case "file":
      return [part.filename ?? ""];
    case "tool-call":
      return [part.toolCallId, part.input];
    case "tool-result":
      return [part.output];
  }
}

/**
 * An export's records must form one history: unique records, consecutive numbers, and an end for each turn, question
 * and call. Sorted by kind and key, so that little state is needed. Methods return a problem as text.
 */
export class ArchivedHistory {
  #place = "";
  #lastSeq = 0;
  #messageCount = 0;
  #epoch = 0;
  #calls: readonly (readonly string[])[] = [];
  readonly #callIds = new Set<string>();
  readonly #openTurns = new Set<string>();
  readonly #openQuestions = new Set<string>();

  /** Call for each record before its content. */
  takePlace(kind: string, key: string): string | undefined {
    const place = `${kind}:${key}`;
    if (place <= this.#place) return "its records are not in the order of their kinds and keys, each once";
    this.#place = place;
    return undefined;
  }

  takeEvent(event: TurnEvent, firstSeq: number): string | undefined {
    const { seq, turnId } = event;
    if (firstSeq !== this.#lastSeq + 1)
      return `event ${firstSeq} follows event ${this.#lastSeq}: a history has no event missing or twice`;
    this.#lastSeq = seq;
    if (event.type === "turn-queue" || event.type === "turn-start") this.#openTurns.add(turnId);
    if (event.type === "turn-end") this.#openTurns.delete(turnId);
    if (event.type === "approval-request") this.#openQuestions.add(event.approvalId);
    if (event.type === "approval-end") this.#openQuestions.delete(event.approvalId);
    if (event.type === "question-request") this.#openQuestions.add(event.questionId);
    if (event.type === "question-end") this.#openQuestions.delete(event.questionId);
    return this.#openTurns.size > maxOpen || this.#openQuestions.size > maxOpen
      ? `more than ${maxOpen} turns or questions are open at once`
      : undefined;
  }

  takeMessage(message: Message, index: number): string | undefined {
    if (index !== this.#messageCount)
      return `message ${index} follows ${this.#messageCount} others: none is missing in a history`;
    this.#messageCount += 1;
    const { role, parts, epoch } = message;
    if (epoch !== this.#epoch && epoch !== this.#epoch + 1) return `epoch: ${epoch} follows ${this.#epoch}`;
    if ((index === 0 || epoch !== this.#epoch) && role !== "user")
      return `role: an epoch begins with what a user says`;
    if (epoch !== this.#epoch) this.#callIds.clear();
    this.#epoch = epoch;
    const odd = parts.find(({ type }) => !partsOfRole[role].has(type));
    if (odd !== undefined) return `parts: a message of the role "${role}" has no "${odd.type}"`;
    if (role === "user") {
      const { error } = turnInputSchema.safeParse(parts);
      if (error !== undefined) return `parts: it is nothing that a user could have sent`;
    }
    const unsendable = parts.map((part) => this.#problemOf(part)).find((problem) => problem !== undefined);
    if (unsendable !== undefined) return `parts: ${unsendable}`;
    const answered = parts.flatMap((part) => (part.type === "tool-result" ? [[part.toolCallId, part.name]] : []));
    if (!Bun.deepEquals(answered, this.#calls))
      return "parts: each call of a tool has its result in the message behind it, and nothing else has";
    this.#calls = parts.flatMap((part) => (part.type === "tool-call" ? [[part.toolCallId, part.name]] : []));
    return undefined;
  }

  takeTurnEnd(index: number): string | undefined {
    return index < this.#messageCount ? undefined : `there is no message ${index} for it to stand beside`;
  }

  #problemOf(part: MessagePart): string | undefined {
    if (!textsOf(part).every((text) => text.isWellFormed())) return "half a surrogate pair is not text";
    if (part.type === "tool-result")
      return (part.files ?? []).map(keptFileProblem).find((problem) => problem !== undefined);
    if (part.type !== "tool-call") return undefined;
    const { toolCallId, name } = part;
    if (toolCallId === "" || toolCallId.length > maxCallIdLength)
      return "a call of a tool has no id, or a very long one";
    if (this.#callIds.has(toolCallId)) return "two calls of an epoch have one id";
    this.#callIds.add(toolCallId);
    return toolNamePattern.test(name) ? undefined : "a call has a name that no tool can have";
  }

  /** Call after all records; returns work that a start would resume. */
  get leftOpen(): string | undefined {
    const [turnId] = this.#openTurns;
    if (turnId !== undefined) return `the turn "${turnId}" has no end: every turn of a history has ended`;
    const [questionId] = this.#openQuestions;
    return questionId === undefined
      ? undefined
      : `the question "${questionId}" has no end, and waits for an answer`;
  }

  /** Returns what is missing in an imported history. Call after all records were read. */
  problemWith({ epoch, lastSeq }: StoredConversation): string | undefined {
    if (this.#calls.length > 0) return "the last message calls a tool, and has no result";
    const newest = Math.max(1, this.#epoch);
    if (epoch !== newest) return `the conversation is in epoch ${epoch}, and its messages in ${newest}`;
    return lastSeq === this.#lastSeq
      ? undefined
      : `the conversation has ${lastSeq} events, and ${this.#lastSeq} came`;
  }
}
