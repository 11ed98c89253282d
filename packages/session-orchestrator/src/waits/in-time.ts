import type { Clock } from "@incipit/kernel";
import { settle } from "./next-event.ts";

/** Longest wait for what is worth no more: it is in memory, as a rule. */
const timeoutMs = 250;

/** The value, or the fallback when it is not there soon. Rejects as `value` does. */
export async function inTime<Value>(
  { clock }: { readonly clock: Clock },
  value: Promise<Value>,
  fallback: Value,
): Promise<Value> {
  const settled = await settle(value, { timeoutMs, clock, signal: new AbortController().signal });
  return settled.kind === "value" ? settled.value : fallback;
}
