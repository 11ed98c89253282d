import type { DifferenceReason, ModelMessage, Step, ToolDefinition } from "@incipit/schema";
import { sha256Of } from "../store/sha256.ts";

export interface PartHash {
  readonly part: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Messages are never changed once they are part of a history, nor do they move in it: each is hashed once. */
const partOfMessage = new WeakMap<ModelMessage, { readonly index: number; readonly part: PartHash }>();

function hash(value: unknown): Omit<PartHash, "part"> {
  const text = JSON.stringify(value);
  return { sha256: sha256Of(text), sizeBytes: Buffer.byteLength(text) };
}

function messagePart(message: ModelMessage, index: number): PartHash {
  const known = partOfMessage.get(message);
  if (known?.index === index) return known.part;
  const part = { part: `message:${index}`, ...hash(message) };
  partOfMessage.set(message, { index, part });
  return part;
}

/** The parts of a request in the order in which vendors key their caches. */
export function partHashes(request: {
  readonly tools: readonly ToolDefinition[];
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
}): readonly PartHash[] {
  return [
    { part: "tools", ...hash(request.tools) },
    { part: "system", ...hash(request.systemPrompt) },
    ...request.messages.map(messagePart),
  ];
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
export interface SentRequest extends RequestFacts {
  readonly parts: readonly PartHash[];
}

export interface StepAudit extends Pick<Step, "firstDifference" | "differenceReason"> {
  /** From the first on that the step before had not sent. */
  readonly parts: readonly PartHash[];
}

/** Which part of this request is the first that the one before had not sent in its place, and why. */
export function audit(previous: SentRequest | undefined, current: SentRequest): StepAudit {
  const { parts } = current;
  if (previous === undefined) return { parts, firstDifference: null, differenceReason: "first-step" };
  const index = previous.parts.findIndex(
    (part, position) => parts[position] !== part && parts[position]?.sha256 !== part.sha256,
  );
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
