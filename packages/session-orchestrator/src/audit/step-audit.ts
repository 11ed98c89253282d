import { sha256Hex } from "@incipit/common";
import type { DifferenceReason, ModelMessage, Step, ToolDefinition } from "@incipit/schema";

export interface PartHash {
  readonly part: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface HashedParts {
  readonly parts: readonly PartHash[];
  readonly sizeBytes: number;
}

export const partsBeforeMessages = 2;

interface Hashable {
  readonly tools: readonly ToolDefinition[];
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
}

function hash(part: string, value: unknown): PartHash {
  const text = JSON.stringify(value);
  return { part, sha256: sha256Hex(text), sizeBytes: Buffer.byteLength(text) };
}

/** Hashes each message of a conversation once, because messages are immutable and keep their position. */
export class PartHashes {
  /** An epoch has one tools array. */
  #tools: { readonly list: readonly ToolDefinition[]; readonly part: PartHash } | undefined;
  #newest: ModelMessage | undefined;
  #parts: readonly PartHash[] = [];

  of({ tools, systemPrompt, messages }: Hashable): HashedParts {
    if (this.#tools?.list !== tools) this.#tools = { list: tools, part: hash("tools", tools) };
    const parts = [this.#tools.part, hash("system", systemPrompt), ...this.ofMessages(messages)];
    return { parts, sizeBytes: sizeOf(parts) };
  }

  ofMessages(messages: readonly ModelMessage[]): readonly PartHash[] {
    const known = messages[this.#parts.length - 1] === this.#newest ? this.#parts : [];
    const added = messages
      .slice(known.length)
      .map((message, index) => hash(`message:${known.length + index}`, message));
    this.#newest = messages.at(-1);
    return (this.#parts = [...known, ...added]);
  }
}

export function sizeOf(parts: readonly PartHash[]): number {
  return parts.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
}

export interface RequestFacts {
  readonly model: string;
  readonly isCompaction: boolean;
  /** Hash of the system messages passed with the request. */
  readonly requestTierSha256: string | null;
  readonly isBuilderAbsent: boolean;
}

export interface SentRequest extends RequestFacts, HashedParts {}

export interface StepAudit extends Pick<Step, "firstDifference" | "differenceReason"> {
  readonly parts: readonly PartHash[];
}

export function audit(previous: SentRequest | undefined, current: SentRequest): StepAudit {
  const { parts } = current;
  if (previous === undefined) return { parts, firstDifference: null, differenceReason: "first-step" };
  const index = firstOther(previous.parts, parts);
  if (previous.model !== current.model)
    return { parts, firstDifference: "model", differenceReason: reasonOf("model", { previous, current }) };
  if (index === -1)
    return { parts: parts.slice(previous.parts.length), firstDifference: null, differenceReason: null };
  const firstDifference = previous.parts[index]?.part ?? "unknown";
  return {
    parts: parts.slice(index),
    firstDifference,
    differenceReason: reasonOf(firstDifference, { previous, current }),
  };
}

function firstOther(before: readonly PartHash[], parts: readonly PartHash[]): number {
  const isOther = (place: number): boolean => before[place]?.sha256 !== parts[place]?.sha256;
  const newest = before.length - 1;
  // Hash objects are shared between consecutive requests: an identical last part implies that all before are equal.
  const goesOn = newest >= partsBeforeMessages && before[newest] === parts[newest];
  const count = goesOn ? partsBeforeMessages : before.length;
  for (let place = 0; place < count; place += 1) if (isOther(place)) return place;
  return -1;
}

export function reasonOf(
  part: string,
  { previous, current }: { readonly previous: RequestFacts; readonly current: RequestFacts },
): DifferenceReason {
  if (current.isCompaction || previous.isCompaction) return "compaction";
  if (part === "model") return "model-changed";
  if (part === "tools") return "tools-changed";
  if (part.startsWith("message:")) return "history-edited";
  if (part !== "system") return "unknown";
  if (current.requestTierSha256 !== previous.requestTierSha256) return "request-tier";
  if (current.isBuilderAbsent !== previous.isBuilderAbsent) return "prompt-builder-absent";
  return current.isBuilderAbsent ? "unknown" : "prompt-rebuilt";
}
