import type { Clock, Storage, StorageCheck, StorageWrite } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { dayAt } from "./time-zone.ts";

const prefix = "tokens/";
/** As many entries of days before go with one count; what is left goes with the next ones. */
const maxForgotten = 1_000;

const storedTokensSchema = lazySchema(() => z.object({ tokens: z.int().nonnegative() }));

export interface DayTokensOptions {
  readonly storage: Pick<Storage, "get" | "getVersioned" | "list">;
  readonly clock: Clock;
  /** Where the days are counted. */
  readonly timeZone: string;
}

/** What belongs into the commit of whatever used the tokens. */
export interface CountedTokens {
  readonly checks: readonly StorageCheck[];
  readonly writes: readonly StorageWrite[];
}

/** Tokens that were used today: of all together, and of each by its id. Those of days before are forgotten at the next count. */
export class DayTokens {
  readonly #options: DayTokensOptions;

  constructor(options: DayTokensOptions) {
    this.#options = options;
  }

  /** Gives those of all; with an id, of that one. */
  async used(id = ""): Promise<number> {
    const stored = await this.#options.storage.get(`${this.#today}${id}`, storedTokensSchema);
    return stored?.tokens ?? 0;
  }

  /** Adds to those of all, and in equal shares, which are rounded up, to those of each id. */
  async count(tokens: number, ids: readonly string[] = []): Promise<CountedTokens> {
    const checks: StorageCheck[] = [];
    if (tokens === 0) return { checks, writes: [] };
    const { storage } = this.#options;
    const today = this.#today;
    const writes: StorageWrite[] = [...(await this.#forget(today))];
    const share = Math.ceil(tokens / ids.length);
    for (const [id, more] of [["", tokens] as const, ...ids.map((one) => [one, share] as const)]) {
      const key = `${today}${id}`;
      const stored = await storage.getVersioned(key, storedTokensSchema);
      checks.push({ key, version: stored?.version ?? null });
      writes.push({ kind: "set", key, value: { tokens: (stored?.value.tokens ?? 0) + more } });
    }
    return { checks, writes };
  }

  /** The beginning of all keys of today: dates sort as their texts do. */
  get #today(): string {
    const { clock, timeZone } = this.#options;
    return `${prefix}${dayAt(clock.now(), timeZone)}/`;
  }

  async #forget(today: string): Promise<readonly StorageWrite[]> {
    const range = { start: prefix, end: today, limit: maxForgotten };
    const before = await this.#options.storage.list(range, z.unknown());
    return before.map(({ key }) => ({ kind: "delete", key }));
  }
}
