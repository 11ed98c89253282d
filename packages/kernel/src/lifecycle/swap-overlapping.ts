import type { Draining } from "./entry.ts";
import type { DrainResult } from "../services/leases.ts";
import { lostServices, takeOver, type BegunSwap, type Replacement, type SwapContext } from "./replacement.ts";

/**
 * Starts the new generation while the old one runs, and switches synchronously; the old one then drains concurrently
 * with other operations.
 */
export async function swapOverlapping(replacement: Replacement, context: SwapContext): Promise<BegunSwap> {
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
