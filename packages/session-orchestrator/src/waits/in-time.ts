import type { Clock } from "@incipit/kernel";
import { settle } from "./next-event.ts";

/** Short, because the value is usually in memory. */
const timeoutMs = 250;

/** The fallback on timeout. Rejects as `value` does. */
export async function inTime<Value>(
  { clock }: { readonly clock: Clock },
  value: Promise<Value>,
  fallback: Value,
): Promise<Value> {
  const settled = await settle(value, { timeoutMs, clock, signal: new AbortController().signal });
  return settled.kind === "value" ? settled.value : fallback;
}
