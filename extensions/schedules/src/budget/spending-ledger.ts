import type { Clock, Storage, StorageBatch, StorageCheck, StorageWrite } from "@incipit/kernel";
import { addSpent, nothingSpent, spentSchema, type Spent } from "@incipit/schema";
import * as z from "zod";
import { dayAt } from "../times/time-zone.ts";

const prefix = "spent/";
const dayMs = 86_400_000;
const keptDays = 31;
/** Per count; the rest of the old entries follows later. */
const maxForgotten = 1_000;
const dayLength = "2026-12-24".length;

/** Id of the sum of all autonomous runs. */
export const totalId = "";
export const heartbeatId = "heartbeat";
export const allSchedulesId = "schedules";
const schedulePrefix = "schedule ";

export function scheduleSpendingId(id: string): string {
  return `${schedulePrefix}${id}`;
}

export function agentSpendingId(profile: string): string {
  return `agent ${profile}`;
}

/** `null` for the heartbeat, `undefined` for sums. */
export function spenderOf(id: string): string | null | undefined {
  if (id === heartbeatId) return null;
  return id.startsWith(schedulePrefix) ? id.slice(schedulePrefix.length) : undefined;
}

export interface LedgerOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  /** The time zone of an entry's days. */
  readonly zoneOf: (id: string) => string;
}

export interface LedgerEntry {
  readonly day: string;
  readonly id: string;
  readonly spent: Spent;
  readonly cursor: string;
}

/** Usage of each day. Older days are deleted by the next count. */
export class SpendingLedger {
  readonly #options: LedgerOptions;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  today(id: string): string {
    const { clock, zoneOf } = this.#options;
    return dayAt(clock.now(), zoneOf(id));
  }

  async used(id: string): Promise<Spent> {
    return (await this.#options.storage.get(this.#key(id), spentSchema)) ?? nothingSpent;
  }

  /** Newest day first. */
  async list({
    cursor,
    limit,
  }: {
    readonly cursor?: string | undefined;
    readonly limit: number;
  }): Promise<readonly LedgerEntry[]> {
    const range = cursor === undefined ? { prefix } : { start: prefix, end: `${prefix}${cursor}` };
    const found = await this.#options.storage.list({ ...range, limit, reverse: true }, spentSchema);
    return found.map(({ key, value: spent }) => {
      const cursorOf = key.slice(prefix.length);
      return { day: cursorOf.slice(0, dayLength), id: cursorOf.slice(dayLength + 1), spent, cursor: cursorOf };
    });
  }

  /**
   * Returns the writes for the commit that ends a turn; it conflicts if another turn was counted in between. Adds to
   * `totalId` and each of `whole`, and in equal shares (rounded up) to each of `shared`; unpriced calls count fully.
   */
  async count(
    spent: Spent,
    { shared, whole = [] }: { readonly shared: readonly string[]; readonly whole?: readonly string[] },
  ): Promise<StorageBatch> {
    const { storage } = this.#options;
    if (spent.tokens === 0 && spent.usd === 0 && spent.unpriced === 0) return storage.batch([], []);
    const checks: StorageCheck[] = [];
    const writes: StorageWrite[] = [...(await this.#forget())];
    const share = {
      tokens: Math.ceil(spent.tokens / shared.length),
      usd: spent.usd / shared.length,
      unpriced: spent.unpriced,
    };
    const counted = [
      ...[totalId, ...whole].map((id) => [id, spent] as const),
      ...shared.map((id) => [id, share] as const),
    ];
    for (const [id, more] of counted) {
      const key = this.#key(id);
      const stored = await storage.getVersioned(key, spentSchema);
      checks.push({ key, version: stored?.version ?? null });
      writes.push({ kind: "set", key, value: addSpent(stored?.value ?? nothingSpent, more) });
    }
    return storage.batch(checks, writes);
  }

  #key(id: string): string {
    return `${prefix}${this.today(id)}/${id}`;
  }

  async #forget(): Promise<readonly StorageWrite[]> {
    const { clock, zoneOf, storage } = this.#options;
    // ISO dates sort lexicographically.
    const first = dayAt(clock.now() - keptDays * dayMs, zoneOf(totalId));
    const range = { start: prefix, end: `${prefix}${first}/`, limit: maxForgotten };
    const before = await storage.list(range, z.unknown());
    return before.map(({ key }) => ({ kind: "delete", key }));
  }
}
