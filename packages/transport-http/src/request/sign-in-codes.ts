import type { Clock } from "@incipit/kernel";

const codeLifetimeMs = 15 * 60_000;
/** Unused links; the oldest is dropped. */
const maxCodes = 100;

export interface SignInCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

/** Sign a browser in once; kept in memory. */
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

  /** Returns whether the consumed code was valid. */
  use(code: string, clock: Pick<Clock, "now">): boolean {
    const endsAtMs = this.#ends.get(code);
    this.#ends.delete(code);
    return endsAtMs !== undefined && endsAtMs > clock.now();
  }
}

const known = new Map<string, SignInCodes>();

/**
 * All generations of the host's API in this process share the codes, so that a link survives a swap, with the command
 * that started the host and prints a link.
 */
export function signInCodesOf(token: string): SignInCodes {
  const codes = known.get(token) ?? new SignInCodes();
  known.set(token, codes);
  return codes;
}
