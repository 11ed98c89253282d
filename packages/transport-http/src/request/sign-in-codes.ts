import type { Clock } from "@incipit/kernel";

/** Lifetime of a sign-in link. */
const codeLifetimeMs = 15 * 60_000;
/** Limit of unused links; the oldest is dropped. */
const maxCodes = 100;

export interface SignInCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

/** Single-use codes that sign a browser in, kept in memory. */
export class SignInCodes {
  readonly #ends = new Map<string, number>();

  newCode(clock: Pick<Clock, "now">): SignInCode {
    const code = crypto.getRandomValues(Buffer.alloc(32)).toString("base64url");
    const expiresAtMs = clock.now() + codeLifetimeMs;
    const [oldest] = this.#ends.keys();
    if (oldest !== undefined && this.#ends.size >= maxCodes) this.#ends.delete(oldest);
    this.#ends.set(code, expiresAtMs);
    return { code, expiresAtMs };
  }

  /** Consumes a code. Returns whether it was valid. */
  use(code: string, clock: Pick<Clock, "now">): boolean {
    const endsAtMs = this.#ends.get(code);
    this.#ends.delete(code);
    return endsAtMs !== undefined && endsAtMs > clock.now();
  }
}

const known = new Map<string, SignInCodes>();

/**
 * Returns the codes of the host with this token in this process: shared by all generations of its API, so that a
 * link survives a swap, and by the command that started the host and prints a link.
 */
export function signInCodesOf(token: string): SignInCodes {
  const codes = known.get(token) ?? new SignInCodes();
  known.set(token, codes);
  return codes;
}
