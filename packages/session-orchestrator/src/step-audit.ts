import type { ModelMessage, Step, ToolDefinition } from "@incipit/service-contract";
import { createHash } from "node:crypto";

export interface PartHash {
  readonly part: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Messages are never changed once they are part of a history, so each is hashed once. */
const hashOfMessage = new WeakMap<ModelMessage, Omit<PartHash, "part">>();

function hash(value: unknown): Omit<PartHash, "part"> {
  const text = JSON.stringify(value);
  return { sha256: createHash("sha256").update(text).digest("hex"), sizeBytes: Buffer.byteLength(text) };
}

function messageHash(message: ModelMessage): Omit<PartHash, "part"> {
  let known = hashOfMessage.get(message);
  if (known === undefined) hashOfMessage.set(message, (known = hash(message)));
  return known;
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
    ...request.messages.map((message, index) => ({ part: `message:${index}`, ...messageHash(message) })),
  ];
}

export interface AuditContext {
  readonly model: string;
  readonly previousModel: string | undefined;
  readonly isCompaction: boolean;
  readonly followsCompaction: boolean;
  readonly hasRequestTier: boolean;
  readonly previousHadRequestTier: boolean;
  readonly wasPromptConstructed: boolean;
  readonly isBuilderAbsent: boolean;
}

export interface StepAudit extends Pick<Step, "firstDifference" | "differenceReason"> {
  readonly parts: readonly PartHash[];
}

/** Which part of this request is the first that the one before had not sent in its place, and why. */
export function audit(
  previous: readonly PartHash[] | undefined,
  current: readonly PartHash[],
  context: AuditContext,
): StepAudit {
  if (previous === undefined) return { parts: current, firstDifference: null, differenceReason: "first-step" };
  const index = previous.findIndex((part, position) => current[position]?.sha256 !== part.sha256);
  if (index === -1 && context.model === context.previousModel) {
    return { parts: current.slice(previous.length), firstDifference: null, differenceReason: null };
  }
  const start = Math.max(0, index);
  const firstDifference = index === -1 ? "model" : (previous[index]?.part ?? "unknown");
  return { parts: current.slice(start), firstDifference, differenceReason: reasonOf(firstDifference, context) };
}

function reasonOf(firstDifference: string, context: AuditContext): NonNullable<Step["differenceReason"]> {
  if (context.isCompaction || context.followsCompaction) return "compaction";
  if (firstDifference === "model") return "model-changed";
  if (firstDifference === "tools") return "tools-changed";
  if (firstDifference !== "system") return "unknown";
  if (context.hasRequestTier || context.previousHadRequestTier) return "request-tier";
  if (context.wasPromptConstructed) return "prompt-rebuilt";
  return context.isBuilderAbsent ? "prompt-builder-absent" : "unknown";
}
