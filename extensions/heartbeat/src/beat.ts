import type { StorageBatch, StorageCheck, StorageWrite, Versioned } from "@incipit/kernel";
import type { HeartContext } from "./heart-context.ts";
import { keys, storedBeatSchema, type StoredBeat, type StoredWake } from "./stored.ts";
import { nextWakeMs } from "./wake-times.ts";

/** Each change is committed together with its effect. */
export class Beat {
  readonly #context: HeartContext;

  constructor(context: HeartContext) {
    this.#context = context;
  }

  /** Resets the anchor on first use and when the interval changes. */
  async read(): Promise<Versioned<StoredBeat>> {
    const { storage, clock, times } = this.#context;
    for (;;) {
      const stored = await storage.getVersioned(keys.beat, storedBeatSchema);
      if (stored !== undefined && stored.value.everyMs === times.everyMs) return stored;
      const anchorMs = clock.now();
      const value: StoredBeat = {
        openWakeId: null,
        idleWakeId: null,
        lastAlertId: null,
        ...stored?.value,
        anchorMs,
        everyMs: times.everyMs,
        nextMs: nextWakeMs(anchorMs, anchorMs, times),
      };
      const check = { key: keys.beat, version: stored?.version ?? null };
      await storage.atomic([check], [{ kind: "set", key: keys.beat, value }]);
    }
  }

  claim(beat: Versioned<StoredBeat>, wake: StoredWake, nextMs: number): Promise<boolean> {
    return this.#move(
      beat,
      { nextMs, openWakeId: wake.id },
      { writes: [{ kind: "set", key: keys.wake(wake.id), value: wake }] },
    );
  }

  async stayIdle(beat: Versioned<StoredBeat>, wake: StoredWake, nextMs: number): Promise<void> {
    const { clock, log } = this.#context;
    const { idleWakeId } = beat.value;
    const writes: StorageWrite[] = [
      { kind: "set", key: keys.wake(wake.id), value: { ...wake, endedMs: clock.now() } },
      ...(idleWakeId === null ? [] : [{ kind: "delete", key: keys.wake(idleWakeId) } as const]),
    ];
    await this.#move(beat, { nextMs, idleWakeId: wake.id }, { writes });
    if (wake.outcome === "failed") log.warn("The heartbeat wakes nobody", { error: wake.error?.message ?? "" });
  }

  /** Ends the open wake. On a conflict it stays open and is settled again. */
  async end(beat: Versioned<StoredBeat>, { lastAlertId, writes, checks, join }: EndedWake): Promise<void> {
    await this.#move(beat, { openWakeId: null, lastAlertId }, { writes, checks, join });
  }

  async #move(
    { value, version }: Versioned<StoredBeat>,
    changes: Partial<StoredBeat>,
    { writes, checks = [], join = [] }: Partial<Commit> & Pick<Commit, "writes">,
  ): Promise<boolean> {
    const result = await this.#context.storage.atomic(
      [{ key: keys.beat, version }, ...checks],
      [{ kind: "set", key: keys.beat, value: { ...value, ...changes } }, ...writes],
      { join },
    );
    return result.kind === "committed";
  }
}

interface Commit {
  readonly writes: readonly StorageWrite[];
  readonly checks: readonly StorageCheck[];
  readonly join: readonly StorageBatch[];
}

interface EndedWake extends Commit {
  readonly lastAlertId: StoredBeat["lastAlertId"];
}
