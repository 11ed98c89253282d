import type { Clock, Storage, StorageCheck, StorageWrite } from "@incipit/kernel";
import { addSpent, nothingSpent, spentSchema, type Spent } from "@incipit/schema";
import * as z from "zod";
import { dayAt } from "./time-zone.ts";

const prefix = "tokens/";
const dayMs = 86_400_000;
/** Per count; the rest of the old entries follows later. */
const maxForgotten = 1_000;
const dayLength = "2026-12-24".length;

export interface DaySpendingOptions {
  readonly storage: Pick<Storage, "get" | "getVersioned" | "list">;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly keptDays: number;
}

export interface CountedSpending {
  readonly checks: readonly StorageCheck[];
  readonly writes: readonly StorageWrite[];
}

/** The total of the day has the id `""`. */
export interface DayEntry {
  readonly day: string;
  readonly id: string;
  readonly spent: Spent;
  readonly cursor: string;
}

/** Older days are deleted by the next count. */
export class DaySpending {
  readonly #options: DaySpendingOptions;

  constructor(options: DaySpendingOptions) {
    this.#options = options;
  }

  get today(): string {
    const { clock, timeZone } = this.#options;
    return dayAt(clock.now(), timeZone);
  }

  /** Returns today's total, or the usage of an id. */
  async used(id = ""): Promise<Spent> {
    return (await this.#options.storage.get(`${prefix}${this.today}/${id}`, spentSchema)) ?? nothingSpent;
  }

  /** Newest day first. */
  async list({
    cursor,
    limit,
  }: {
    readonly cursor: string | undefined;
    readonly limit: number;
  }): Promise<readonly DayEntry[]> {
    const range = cursor === undefined ? { prefix } : { start: prefix, end: `${prefix}${cursor}` };
    const found = await this.#options.storage.list({ ...range, limit, reverse: true }, spentSchema);
    return found.map(({ key, value: spent }) => {
      const cursorOf = key.slice(prefix.length);
      return { day: cursorOf.slice(0, dayLength), id: cursorOf.slice(dayLength + 1), spent, cursor: cursorOf };
    });
  }

  /**
   * Adds to the total, and in equal shares (rounded up) to each id; unpriced calls count fully for each id, as
   * everything does for `whole`.
   */
  async count(spent: Spent, ids: readonly string[] = [], whole: readonly string[] = []): Promise<CountedSpending> {
    const checks: StorageCheck[] = [];
    if (spent.tokens === 0 && spent.usd === 0 && spent.unpriced === 0) return { checks, writes: [] };
    const { storage } = this.#options;
    const today = `${prefix}${this.today}/`;
    const writes: StorageWrite[] = [...(await this.#forget())];
    const share = {
      tokens: Math.ceil(spent.tokens / ids.length),
      usd: spent.usd / ids.length,
      unpriced: spent.unpriced,
    };
    const counted = [
      ...["", ...whole].map((one) => [one, spent] as const),
      ...ids.map((one) => [one, share] as const),
    ];
    for (const [id, more] of counted) {
      const key = `${today}${id}`;
      const stored = await storage.getVersioned(key, spentSchema);
      checks.push({ key, version: stored?.version ?? null });
      writes.push({ kind: "set", key, value: addSpent(stored?.value ?? nothingSpent, more) });
    }
    return { checks, writes };
  }

  async #forget(): Promise<readonly StorageWrite[]> {
    const { clock, timeZone, keptDays, storage } = this.#options;
    // ISO dates sort lexicographically.
    const first = dayAt(clock.now() - keptDays * dayMs, timeZone);
    const before = await storage.list(
      { start: prefix, end: `${prefix}${first}/`, limit: maxForgotten },
      z.unknown(),
    );
    return before.map(({ key }) => ({ kind: "delete", key }));
  }
}
