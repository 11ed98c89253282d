import type { Clock } from "@incipit/kernel";

export function deadline(
  clock: Clock,
  timeoutMs: number,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  const cancel = clock.setTimer(() => controller.abort(), timeoutMs);
  return { signal: controller.signal, cancel };
}
