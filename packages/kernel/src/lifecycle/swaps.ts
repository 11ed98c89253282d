import type { Clock } from "../time/clock.ts";
import type { Definition } from "./definition.ts";
import type { Entry, Draining } from "./entry.ts";
import type { SwapReport } from "../contract/kernel.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { type BegunSwap, type SwapContext, lostServices, takeOver, type Replacement } from "./replacement.ts";
import { SerialQueue } from "../time/serial-queue.ts";
import { swapExclusively } from "./swap-exclusively.ts";
import type { DrainResult } from "../services/leases.ts";

export interface SwapsOptions extends SwapContext {
  readonly clock: Clock;
  readonly serially: <Result>(operation: () => Promise<Result>) => Promise<Result>;
}

/**
 * Serializes the swaps of each extension until the old generation has ended; other operations continue once the new
 * one serves.
 */
export class Swaps {
  readonly #options: SwapsOptions;
  readonly #queues = new Map<string, SerialQueue>();

  constructor(options: SwapsOptions) {
    this.#options = options;
  }

  run(id: string, define: (entry: Entry) => Definition): Promise<SwapReport> {
    const queue = this.#queues.get(id) ?? new SerialQueue();
    this.#queues.set(id, queue);
    return queue
      .run(() => this.#swap(id, define))
      .finally(() => {
        if (queue.size === 0) this.#queues.delete(id);
      });
  }

  async #swap(id: string, define: (entry: Entry) => Definition): Promise<SwapReport> {
    const { clock, entries, serially } = this.#options;
    const { entry, from, startedAt, begun } = await serially(async () => {
      const found = entries.get(id);
      const before = { entry: found, from: found.generation, startedAt: clock.now() };
      return { ...before, begun: await this.#begin(found, define(found)) };
    });
    const { outcome, to, error } = begun;
    const { drained, cut } = (await begun.drain) ?? { drained: 0, cut: 0 };
    const report: SwapReport = {
      outcome,
      from,
      to,
      drained,
      cut,
      tookMs: clock.now() - startedAt,
      at: startedAt,
      ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    };
    entry.lastSwap = report;
    return report;
  }

  async #begin(entry: Entry, next: Definition): Promise<BegunSwap> {
    const { entries, lifecycle } = this.#options;
    entries.checkReplacement(entry, next);
    const { definition: previous, activation: old } = entry;
    if (old === undefined) {
      entries.redefine(entry, next);
      try {
        await lifecycle.startWanted(entry);
      } catch (error) {
        entries.redefine(entry, previous); // Restores the previous definition, which can still be loaded.
        throw error;
      }
      return { outcome: "loaded", to: entry.generation };
    }
    const missing = lifecycle.missing(next);
    if (missing.length > 0) {
      const { id: extension, version } = next.manifest;
      const names = missing.map((service) => `"${service}"`).join(", ");
      const message = `Cannot swap "${extension}": it requires ${names}, which no extension provides; load one that does`;
      const error = new KernelError("SERVICE_UNAVAILABLE", message, { extension });
      return { outcome: "kept-old", to: { version, generation: entry.lastGeneration }, error };
    }
    const isExclusive = [previous, next].some(({ manifest }) => manifest.swap === "exclusive");
    return (isExclusive ? swapExclusively : swapOverlapping)({ entry, old, next }, this.#options);
  }
}

/**
 * Starts the new generation while the old one runs, and switches synchronously; the old one then drains concurrently
 * with other operations.
 */
async function swapOverlapping(replacement: Replacement, context: SwapContext): Promise<BegunSwap> {
  const { entry, old, next } = replacement;
  const { entries, generations, lifecycle, timeouts } = context;
  const result = await generations.start(entry, next, { replaces: old, isBeside: true });
  if (result.kind === "failed") {
    const to = { version: next.manifest.version, generation: entry.lastGeneration };
    return { outcome: "kept-old", to, error: result.error };
  }
  const { activation: came } = result;
  await lifecycle.stopDependants(entry, lostServices(replacement));
  const stopWaiting = new AbortController();
  const drain = async (): Promise<DrainResult> => {
    const drained = await generations.drain(entry, {
      activation: old,
      timeoutMs: timeouts.drainTimeoutMs,
      signal: stopWaiting.signal,
    });
    came.forgetPredecessor();
    if (entry.draining === draining) entry.draining = undefined;
    return drained;
  };
  takeOver(came, replacement, entries);
  old.beginDraining();
  const done = drain();
  const draining: Draining = { activation: old, done, hurry: () => stopWaiting.abort() };
  entry.draining = draining;
  await lifecycle.startWhatCan();
  return { outcome: "swapped", to: entry.generation, drain: done };
}
