import { sampleCount } from "@incipit/testkit";
import { expect } from "bun:test";
import type { HostProcess } from "./host-process.ts";
import { randomNumbers } from "./random-numbers.ts";

/** Returns an integer from 0 to `limit - 1`. */
export type Below = (limit: number) => number;

/** A data folder whose hosts are killed one after the other. */
export interface KilledLife<Counts> extends AsyncDisposable {
  /** Starts a host, checks it, works with it, and kills it. */
  round(): Promise<void>;
  end(): Promise<Counts>;
}

export interface KillsOptions {
  /** `NAME_KILLS` overrides the number of kills; `NAME_KILL_SEED` repeats a run. */
  readonly name: string;
  readonly kills: number;
  readonly folders?: number;
}

/** Kills hosts of several data folders at once, and returns what each folder counted. */
export async function killHosts<Counts>(
  { name, kills, folders = 1 }: KillsOptions,
  begin: (below: Below) => Promise<KilledLife<Counts>>,
): Promise<{ readonly kills: number; readonly counts: readonly Counts[] }> {
  const rounds = Math.floor(Number(process.env[`${name}_KILLS`] ?? sampleCount(kills)) / folders);
  const seed = Number(process.env[`${name}_KILL_SEED`] ?? Math.floor(Math.random() * 2 ** 32));
  process.stderr.write(`${name}_KILL_SEED=${seed}\n`);
  const live = async (index: number): Promise<Counts> => {
    const random = randomNumbers(seed + index);
    await using life = await begin((limit) => Math.floor(random() * limit));
    for (let round = 1; round <= rounds; round += 1)
      await life.round().catch((cause: unknown) => {
        throw new Error(`${name}_KILL_SEED=${seed}, folder ${index}, kill ${round}`, { cause });
      });
    return await life.end();
  };
  const counts = await Promise.all(Array.from({ length: folders }, (_, index) => live(index)));
  return { kills: rounds * folders, counts };
}

export interface KillMoment {
  /** Calls of `note()` until the kill. */
  readonly events?: number;
  readonly ticks?: number;
  readonly tickMs?: number;
  readonly onKill?: () => void;
}

/** Kills a host at one of its events, or after some time. */
export class KillSwitch implements Disposable {
  readonly dead: Promise<void>;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  readonly #kill: () => void;
  #left: number;
  isDead = false;

  constructor(host: HostProcess, { events = Infinity, ticks = Infinity, tickMs = 10, onKill }: KillMoment) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.dead = promise;
    this.#left = events;
    this.#kill = () => {
      onKill?.();
      void host.kill("SIGKILL").then(() => resolve());
    };
    if (ticks !== Infinity) this.#timer = setTimeout(() => this.kill(), ticks * tickMs);
  }

  note(): void {
    this.#left -= 1;
    if (this.#left <= 0) this.kill();
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#kill();
  }

  /** Repeats the work until the kill. Errors before it are failures; errors after it are expected. */
  async repeat(work: () => Promise<void>, times = Infinity): Promise<void> {
    try {
      for (let count = 0; count < times && !this.isDead; count += 1) await work();
    } catch (error) {
      if (!this.isDead) throw error;
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

export function expectEachOnce(all: readonly string[]): void {
  const once = new Set<string>();
  expect(all.filter((name) => once.size === once.add(name).size)).toEqual([]);
}
