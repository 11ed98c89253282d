import type { Storage } from "@incipit/kernel";
import { stepSchema, type Usage } from "@incipit/schema";
import { skipInvalid } from "../store/skip-invalid.ts";
import { keys, type StoredConversation } from "../store/stored.ts";

/** A conversation that could not be compacted, or is full right after it was, is tried again when it has grown by so much of the window. */
const growthShare = 0.1;

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

  isDue({ window, share }: { readonly window: number; readonly share: number }): boolean {
    return this.#tokens !== undefined && this.#tokens >= Math.max(window * share, this.#notBefore);
  }

  /** A compaction has failed: the next one is due when there is more to gain. */
  putOff(window: number): void {
    this.#notBefore = (this.#tokens ?? 0) + window * growthShare;
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
