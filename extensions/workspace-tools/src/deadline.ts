import type { Clock } from "@incipit/kernel";

/** A signal that also aborts after the timeout. */
export function deadline(
  clock: Clock,
  timeoutMs: number,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  const cancel = clock.setTimer(() => controller.abort(), timeoutMs);
  return { signal: controller.signal, cancel };
}
