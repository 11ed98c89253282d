import type { ModelMessage, Step, ToolDefinition } from "@incipit/service-contract";

export interface PartHash {
  readonly part: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Messages are never changed once they are part of a history, nor do they move in it: each is hashed once. */
const partOfMessage = new WeakMap<ModelMessage, { readonly index: number; readonly part: PartHash }>();

function hash(value: unknown): Omit<PartHash, "part"> {
  const text = JSON.stringify(value);
  return { sha256: new Bun.CryptoHasher("sha256").update(text).digest("hex"), sizeBytes: Buffer.byteLength(text) };
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
  const index = previous.findIndex(
    (part, position) => current[position] !== part && current[position]?.sha256 !== part.sha256,
  );
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
