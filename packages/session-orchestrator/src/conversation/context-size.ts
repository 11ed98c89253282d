import type { Storage } from "@incipit/kernel";
import { stepSchema, type Usage, type FilePart, type MessagePart, type ModelMessage } from "@incipit/schema";
import { skipInvalid } from "../store/read-page.ts";
import { keys, type StoredConversation } from "../store/stored.ts";

/** Growth before the next compaction after a failed or useless one, as a share of the window. */
const growthShare = 0.1;

/** Growth since the vendor's count, as a share of the window, from which an estimate is used. */
const estimatedShare = 0.05;

export class ContextSize {
  #tokens: number | undefined;
  #notBefore = 0;
  #isNewEpoch = false;

  constructor(tokens: number | undefined) {
    this.#tokens = tokens;
  }

  get tokens(): number | undefined {
    return this.#tokens;
  }

  /** Counts the reply too, because later requests contain it. */
  report(usage: Usage | null, window: number | undefined): void {
    const tokens = tokensOf(usage);
    if (tokens === undefined) return;
    this.#tokens = tokens;
    if (this.#isNewEpoch && window !== undefined) this.#notBefore = tokens + window * growthShare;
    this.#isNewEpoch = false;
  }

  /** @param estimated Tokens of the next request; above the window, compaction is due for any `share`. */
  isDue({
    window,
    share,
    estimated,
  }: {
    readonly window: number;
    readonly share: number;
    readonly estimated: number;
  }): boolean {
    const isMuchNew = estimated - (this.#tokens ?? 0) > window * estimatedShare;
    if (isMuchNew && estimated >= Math.max(window, this.#notBefore)) return true;
    return this.#tokens !== undefined && this.#tokens >= Math.max(window * share, this.#notBefore);
  }

  putOff({ window, estimated }: { readonly window: number; readonly estimated: number }): void {
    this.#notBefore = Math.max(this.#tokens ?? 0, estimated < window ? 0 : estimated) + window * growthShare;
  }

  beginEpoch(): void {
    this.#tokens = undefined;
    this.#notBefore = 0;
    this.#isNewEpoch = true;
  }
}

export async function readContextTokens(
  storage: Storage,
  { id, epoch }: StoredConversation,
): Promise<number | undefined> {
  const newest = await storage.list(
    { prefix: keys.steps(id), reverse: true, limit: 5, ...skipInvalid },
    stepSchema,
  );
  for (const { value } of newest) {
    const tokens = value.purpose === "turn" && value.epoch === epoch ? tokensOf(value.usage) : undefined;
    if (tokens !== undefined) return tokens;
  }
  return undefined;
}

function tokensOf(usage: Usage | null): number | undefined {
  return usage === null || usage.inputTokens === null ? undefined : usage.inputTokens + (usage.outputTokens ?? 0);
}

const bytesPerToken = 4;
/** Per image or page, approximately; smaller files count less. */
const maxTokensPerFile = 1_500;

export function estimatedTokens(messages: readonly ModelMessage[]): number {
  let tokens = 0;
  for (const { parts } of messages) for (const part of parts) tokens += tokensIn(part);
  return Math.ceil(tokens);
}

function tokensIn(part: MessagePart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return Buffer.byteLength(part.text) / bytesPerToken;
    case "tool-call":
      return Buffer.byteLength(part.input) / bytesPerToken;
    case "tool-result":
      return (part.files ?? []).reduce(
        (tokens, file) => tokens + tokensOfFile(file),
        Buffer.byteLength(part.output) / bytesPerToken,
      );
    case "file":
      return tokensOfFile(part);
  }
}

function tokensOfFile({ data }: Pick<FilePart, "data">): number {
  return Math.min(maxTokensPerFile, data.length);
}
