import { sha256Hex } from "@incipit/common";
import type { DifferenceReason, ModelMessage, Step, ToolDefinition, StepPrefix } from "@incipit/schema";
import { compareBodies, type BodyComparison, type KnownBody } from "./compare-bodies.ts";

export interface PartHash {
  readonly part: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface HashedParts {
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

interface RequestFacts {
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

function reasonOf(
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

export interface MeasuredPrefix {
  readonly firstDifference: string | null;
  readonly differenceReason: DifferenceReason | null;
  readonly prefix: StepPrefix;
  readonly partText?: BodyComparison["partText"];
  readonly withoutMarks?: string;
}

interface Requests {
  readonly previous: SentRequest | undefined;
  readonly current: SentRequest;
}

export function measureParts(audited: StepAudit, { previous, current }: Requests): MeasuredPrefix {
  const { firstDifference, differenceReason } = audited;
  const { sizeBytes } = current;
  const base = {
    measure: "parts" as const,
    sizeBytes,
    difference: null,
    changes: [],
    promptReason: null,
  } satisfies Partial<StepPrefix>;
  if (previous === undefined)
    return { firstDifference, differenceReason, prefix: { ...base, previousBytes: null, sharedBytes: 0 } };
  return {
    firstDifference,
    differenceReason,
    prefix: { ...base, previousBytes: previous.sizeBytes, sharedBytes: sharedBytesOf(previous, firstDifference) },
  };
}

export function measureAddress(
  audited: StepAudit,
  { previous, current, before, url }: Requests & { readonly before: string | null; readonly url: string },
): MeasuredPrefix | undefined {
  if (previous === undefined || before === null || before === url) return undefined;
  if (previous.model !== current.model) return undefined;
  const { prefix } = measureParts(audited, { previous, current });
  const differenceReason = otherwise({ previous, current });
  return { firstDifference: "url", differenceReason, prefix: { ...prefix, sharedBytes: 0 } };
}

/** Compares bytes, because the vendor's cache uses them. */
export function measureBodies(
  audited: StepAudit,
  {
    previous,
    current,
    before,
    body,
  }: Requests & { readonly before: KnownBody; readonly body: Omit<KnownBody, "stepId"> },
): MeasuredPrefix {
  if (previous === undefined) return measureParts(audited, { previous, current });
  const { partText, withoutMarks, ...compared } = compareBodies(before, body.body);
  const shared: StepPrefix = { measure: "body", ...compared, changes: [], promptReason: null };
  const prefix = dropsThinking(body.body, compared.difference)
    ? { ...shared, dropsThinking: true as const }
    : shared;
  const kept = withoutMarks === undefined ? {} : { withoutMarks };
  const found = (part: string, reason: DifferenceReason): MeasuredPrefix => ({
    firstDifference: part,
    differenceReason: reason,
    prefix,
    ...kept,
    ...(partText === undefined ? {} : { partText }),
  });
  const isElsewhere = before.url !== body.url;
  if (previous.model !== current.model || isElsewhere) {
    const { firstDifference, differenceReason } = audited;
    const nothing = { ...shared, sharedBytes: 0, difference: null };
    if (previous.model !== current.model) return { firstDifference, differenceReason, prefix: nothing, ...kept };
    return { ...found("url", otherwise({ previous, current })), prefix: nothing };
  }
  const { difference } = compared;
  if (difference === null) return { firstDifference: null, differenceReason: null, prefix, ...kept };
  const { firstDifference } = audited;
  if (firstDifference === null || rank(difference.part) < rank(firstDifference))
    return found(difference.part, otherwise({ previous, current }));
  return found(firstDifference, reasonOf(firstDifference, { previous, current }));
}

function dropsThinking(body: string, difference: StepPrefix["difference"]): boolean {
  if (difference === null || !body.includes('"prefix_mismatch_behavior":"drop_block"')) return false;
  // In the cache, system and tools precede messages, wherever they are in the body.
  const isInMessages = difference.part.startsWith("message");
  const behind = isInMessages ? Buffer.from(body).subarray(difference.bodyByte).toString() : body;
  return /"type":"(?:redacted_)?thinking"/.test(behind);
}

function otherwise({
  previous,
  current,
}: {
  readonly previous: SentRequest;
  readonly current: SentRequest;
}): DifferenceReason {
  const reason = reasonOf("body", { previous, current });
  return reason === "compaction" ? reason : "provider-changed";
}

/** Cache order; all messages share one rank, because vendors join and split them differently. */
function rank(part: string): number {
  if (part.startsWith("message:")) return 3;
  const order = ["tools", "system", "settings"].indexOf(part);
  return order === -1 ? 4 : order;
}

function sharedBytesOf({ parts, sizeBytes }: SentRequest, firstDifference: string | null): number {
  if (firstDifference === null) return sizeBytes;
  if (firstDifference === "model") return 0;
  const index = parts.findIndex(({ part }) => part === firstDifference);
  return index === -1 ? sizeBytes : sizeOf(parts.slice(0, index));
}

export class MessagesHash {
  #hasher = new Bun.CryptoHasher("sha256");
  #count = partsBeforeMessages;
  #last: PartHash | undefined;

  of(parts: readonly PartHash[]): string {
    if (this.#count > partsBeforeMessages && parts[this.#count - 1] !== this.#last) {
      this.#hasher = new Bun.CryptoHasher("sha256");
      this.#count = partsBeforeMessages;
    }
    const added = parts.slice(this.#count);
    this.#hasher.update(added.map(({ sha256 }) => sha256).join(""));
    this.#count += added.length;
    this.#last = parts.at(-1);
    return this.#hasher.copy().digest("hex");
  }
}
