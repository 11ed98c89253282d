import type { Storage } from "@incipit/kernel";
import { stepSchema, type Usage } from "@incipit/schema";
import { skipInvalid } from "../store/skip-invalid.ts";
import { keys, type StoredConversation } from "../store/stored.ts";

/** A conversation that could not be compacted, or is full right after it was, is tried again when it has grown by so much of the window. */
const growthShare = 0.1;

/** What came since the vendor counted, as a share of the window: of less, an estimate says nothing. */
const estimatedShare = 0.05;

/** How much of a model's window a conversation fills, as its vendor has reported it last. */
export class ContextSize {
  #tokens: number | undefined;
  #notBefore = 0;
  #isNewEpoch = false;

  /** @param tokens Absent: nothing was reported in this epoch. */
  constructor(tokens: number | undefined) {
    this.#tokens = tokens;
  }

  /** As its vendor has counted it; `undefined`: nothing was reported in this epoch. */
  get tokens(): number | undefined {
    return this.#tokens;
  }

  /** What a step of the conversation took: all that was sent, and the reply, which is sent from then on. */
  report(usage: Usage | null, window: number | undefined): void {
    const tokens = tokensOf(usage);
    if (tokens === undefined) return;
    this.#tokens = tokens;
    if (this.#isNewEpoch && window !== undefined) this.#notBefore = tokens + window * growthShare;
    this.#isNewEpoch = false;
  }

  /** @param estimated What the next request takes, about: where it does not fit, it is due whatever the share is. */
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

  /** A compaction has failed: the next one is due when there is more to gain. */
  putOff({ window, estimated }: { readonly window: number; readonly estimated: number }): void {
    this.#notBefore = Math.max(this.#tokens ?? 0, estimated < window ? 0 : estimated) + window * growthShare;
  }

  beginEpoch(): void {
    this.#tokens = undefined;
    this.#notBefore = 0;
    this.#isNewEpoch = true;
  }
}

/** What the newest step of the epoch that reported it took. */
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
