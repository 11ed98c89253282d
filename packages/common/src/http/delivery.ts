import type { UnansweredCall } from "./unanswered-call.ts";

interface RefusedCall {
  readonly kind: "refused";
  readonly status: number;
  readonly why: string;
  readonly retryAfterMs: number | undefined;
}

type Undelivered =
  | { readonly kind: "later"; readonly afterMs: number; readonly why: string }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "unknown"; readonly why: string };

/** While a channel has no token. */
export const withoutTokenMs = 60_000;
export const unreachedMs = 5_000;
const unsaidMs = 5_000;
const longestBackOffMs = 60_000;

export function undelivered(
  failure: RefusedCall | UnansweredCall,
  { service, tokenStatuses }: { readonly service: string; readonly tokenStatuses: readonly number[] },
): Undelivered {
  if (failure.kind === "unreached") return { kind: "later", afterMs: unreachedMs, why: failure.why };
  if (failure.kind === "unanswered") return { kind: "unknown", why: failure.why };
  const { status, retryAfterMs } = failure;
  const why = `${service} answers ${status}: ${failure.why}`;
  if (status === 429) return { kind: "later", afterMs: retryAfterMs ?? unsaidMs, why };
  // An operator has to fix the token; the message is still to be sent.
  if (tokenStatuses.includes(status)) return { kind: "later", afterMs: withoutTokenMs, why };
  return status >= 500 ? { kind: "unknown", why } : { kind: "failed", why };
}

/** Returns the delay before the next attempt. @param failures Failed attempts so far, at least 1. */
export function backOffMs(failures: number): number {
  return Math.min(1_000 * 2 ** (failures - 1), longestBackOffMs);
}
