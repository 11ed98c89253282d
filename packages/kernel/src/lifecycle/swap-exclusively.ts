import type { Definition } from "./definition.ts";
import { KernelError } from "../failures/kernel-error.ts";
import type { DrainResult } from "../services/leases.ts";
import { lostServices, takeOver, type BegunSwap, type Replacement, type SwapContext } from "./replacement.ts";

/** Ends the old generation first, holding calls in between; restarts its code when the new one fails. */
export async function swapExclusively(replacement: Replacement, context: SwapContext): Promise<BegunSwap> {
  const { entry, next } = replacement;
  const { lifecycle } = context;
  const previous = entry.definition;
  await lifecycle.stopDependants(entry, lostServices(replacement));
  const drain = await endHoldingCalls(replacement, context);
  const begun = { to: { version: next.manifest.version, generation: entry.lastGeneration + 1 }, drain };
  const error = await startInPlace(replacement, context);
  if (error === undefined) {
    await lifecycle.startWhatCan();
    return { outcome: "swapped", ...begun };
  }
  const restoreError = await startInPlace({ ...replacement, next: previous }, context);
  if (restoreError === undefined) {
    await lifecycle.startWhatCan();
    return { outcome: "restored-old", error, ...begun };
  }
  await giveUp(replacement, { previous, restoreError, context });
  return { outcome: "failed", error, ...begun };
}

async function endHoldingCalls(
  { entry, old }: Replacement,
  { generations, timeouts }: SwapContext,
): Promise<DrainResult> {
  old.leases.hold();
  entry.moveTo("draining");
  old.beginDraining();
  const stopWaiting = new AbortController();
  const done = generations.drain(entry, {
    activation: old,
    timeoutMs: timeouts.holdTimeoutMs,
    signal: stopWaiting.signal,
  });
  entry.draining = { activation: old, done, hurry: () => stopWaiting.abort() };
  const drained = await done;
  entry.draining = undefined;
  entry.moveTo("starting");
  return drained;
}

async function startInPlace(
  replacement: Replacement,
  { entries, generations }: SwapContext,
): Promise<KernelError | undefined> {
  const { entry, old, next } = replacement;
  const result = await generations.start(entry, next, { replaces: old });
  if (result.kind === "failed") return result.error;
  entry.moveTo("active");
  takeOver(result.activation, replacement, entries);
  return undefined;
}

interface GivenUp {
  readonly previous: Definition;
  readonly restoreError: KernelError;
  readonly context: SwapContext;
}

/** Rejects held calls and stops dependants: neither version started. */
async function giveUp({ entry, old }: Replacement, { previous, restoreError, context }: GivenUp): Promise<void> {
  const { id: extension, provides = [] } = previous.manifest;
  entry.activation = undefined;
  entry.fail(restoreError);
  old.withdraw();
  const message = `Cannot reach "${extension}": it was swapped, and neither version started`;
  old.leases.abandon(new KernelError("SERVICE_UNAVAILABLE", message, { extension, cause: restoreError }));
  await context.lifecycle.stopDependants(entry, provides);
}
