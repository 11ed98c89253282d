import { sha256Hex } from "@incipit/common";
import type { DifferenceReason, ModelMessage, Step, ToolDefinition } from "@incipit/schema";
import { HistoryMemo } from "../store/history-memo.ts";

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

const hashedMessages = new HistoryMemo<HashedParts & { readonly from: number }>();
/** Keyed by identity: an epoch has one tools array. */
const hashedTools = new WeakMap<readonly ToolDefinition[], PartHash>();

function hash(part: string, value: unknown): PartHash {
  const text = JSON.stringify(value);
  return { part, sha256: sha256Hex(text), sizeBytes: Buffer.byteLength(text) };
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

/** Hashes each message once: messages in a history are immutable and keep their position. */
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
