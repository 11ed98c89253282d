import type { Clock } from "@incipit/kernel";

/** How long a link that signs in is good for. */
const codeLifetimeMs = 15 * 60_000;
/** Links that nobody has used yet; with one more, the oldest is no longer good. */
const maxCodes = 100;

export interface SignInCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

/** Codes that sign a browser in to one host, each once. They are in memory alone. */
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

  /** Whether a code is good; it is not any more after this. */
  use(code: string, clock: Pick<Clock, "now">): boolean {
    const endsAtMs = this.#ends.get(code);
    this.#ends.delete(code);
    return endsAtMs !== undefined && endsAtMs > clock.now();
  }
}

const known = new Map<string, SignInCodes>();

/**
 * The codes of the host in this process that has a token: of each generation of its API, so that a link holds over a swap,
 * and of the command that started it, which prints one without asking the API for it.
 */
export function signInCodesOf(token: string): SignInCodes {
  const codes = known.get(token) ?? new SignInCodes();
  known.set(token, codes);
  return codes;
}
