import type { DifferenceReason, ModelMessage, Step, ToolDefinition } from "@incipit/schema";
import { HistoryMemo } from "../store/history-memo.ts";
import { sha256Of } from "../store/sha256.ts";

export interface PartHash {
  readonly part: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The parts of a request in the order in which vendors key their caches, and their size. */
export interface HashedParts {
  readonly parts: readonly PartHash[];
  readonly sizeBytes: number;
}

/** Parts of a request in front of its messages: tools and system. */
export const partsBeforeMessages = 2;

interface Hashable {
  readonly tools: readonly ToolDefinition[];
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
}

/** Parts of which those of messages begin at a place, and the size of these. */
const hashedMessages = new HistoryMemo<HashedParts & { readonly from: number }>();
/** The tools of an epoch are one list. */
const hashedTools = new WeakMap<readonly ToolDefinition[], PartHash>();

function hash(part: string, value: unknown): PartHash {
  const text = JSON.stringify(value);
  return { part, sha256: sha256Of(text), sizeBytes: Buffer.byteLength(text) };
}

function hashTools(tools: readonly ToolDefinition[]): PartHash {
  const part = hashedTools.get(tools) ?? hash("tools", tools);
  hashedTools.set(tools, part);
  return part;
}

export function hashMessages(messages: readonly ModelMessage[]): HashedParts {
  return hashBehind([], messages);
}

export function hashParts({ tools, systemPrompt, messages }: Hashable): HashedParts {
  return hashBehind([hashTools(tools), hash("system", systemPrompt)], messages);
}

/** Messages are never changed once they are part of a history, nor do they move in it: each is hashed once. */
function hashBehind(before: readonly PartHash[], messages: readonly ModelMessage[]): HashedParts {
  const { messageCount = 0, value = { parts: [], from: 0, sizeBytes: 0 } } = hashedMessages.take(messages) ?? {};
  const parts = value.parts.slice();
  parts.splice(0, value.from, ...before);
  let { sizeBytes } = value;
  for (let index = messageCount; index < messages.length; index += 1) {
    const part = hash(`message:${index}`, messages[index]);
    parts.push(part);
    sizeBytes += part.sizeBytes;
  }
  hashedMessages.set(messages, { parts, from: before.length, sizeBytes });
  return { parts, sizeBytes: sizeOf(before) + sizeBytes };
}

export function sizeOf(parts: readonly PartHash[]): number {
  return parts.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
}

/** What decides, beside the parts, how a request compares with the one before it. */
export interface RequestFacts {
  /** PROVIDER/MODEL. */
  readonly model: string;
  readonly isCompaction: boolean;
  /** Hash of the system texts that came with the call; `null`: there were none. */
  readonly requestTierSha256: string | null;
  readonly isBuilderAbsent: boolean;
}

/** What a step sent. */
export interface SentRequest extends RequestFacts, HashedParts {}

export interface StepAudit extends Pick<Step, "firstDifference" | "differenceReason"> {
  /** From the first on that the step before had not sent. */
  readonly parts: readonly PartHash[];
}

/** Which part of this request is the first that the one before had not sent in its place, and why. */
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

/** Where the first part is that is not in its place; -1: all are. */
function firstOther(before: readonly PartHash[], parts: readonly PartHash[]): number {
  const isOther = (place: number): boolean => before[place]?.sha256 !== parts[place]?.sha256;
  const newest = before.length - 1;
  // The part of a message is one object, behind those of the messages before it: of a history that goes on, all are the same.
  const goesOn = newest >= partsBeforeMessages && before[newest] === parts[newest];
  const count = goesOn ? partsBeforeMessages : before.length;
  for (let place = 0; place < count; place += 1) if (isOther(place)) return place;
  return -1;
}

/** Why it is this part that differs. */
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
