import type { Clock } from "@incipit/kernel";
import type { HonoRequest } from "hono";
import { isOwnOrigin } from "./own-origin.ts";
import { signInCodesOf, type SignInCode, type SignInCodes } from "./sign-in-codes.ts";

/** How long a browser stays signed in. */
const sessionLifetimeMs = 30 * 86_400_000;

const cookieShape = /^(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/;

export interface PageSessionsOptions {
  readonly token: string;
  /** The port that is open; `undefined` before it is. */
  readonly port: () => number | undefined;
  readonly clock: Clock;
}

/**
 * The browsers that are signed in: each has a cookie that the host's token has signed, so that it holds over restarts and
 * swaps, and ends with the token.
 */
export class PageSessions {
  readonly #options: PageSessionsOptions;
  readonly #codes: SignInCodes;

  constructor(options: PageSessionsOptions) {
    this.#options = options;
    this.#codes = signInCodesOf(options.token);
  }

  newCode(): SignInCode {
    return this.#codes.newCode(this.#options.clock);
  }

  /** The cookie of a browser that has the code, which is good for nobody after this; `undefined`: it is not good. */
  signIn(code: string, { isSecure }: { readonly isSecure: boolean }): SignInCookie | undefined {
    const nowMs = this.#options.clock.now();
    if (!this.#codes.use(code, this.#options.clock)) return undefined;
    const expiresAtMs = nowMs + sessionLifetimeMs;
    const claim = `${expiresAtMs}.${randomText(16)}`;
    const value = `${claim}.${this.#signature(claim)}`;
    return { cookie: this.#cookie(value, { seconds: sessionLifetimeMs / 1_000, isSecure }), expiresAtMs };
  }

  /** The cookie that takes the place of a browser's own, and stands for nothing. */
  signedOutCookie(): string {
    return this.#cookie("", { seconds: 0, isSecure: false });
  }

  /**
   * Whether a request comes from the host's own page in a browser that is signed in. A browser sends the cookie also for pages
   * of other ports of this machine, and says whose the request is. Pages of other origins show a token of their own.
   */
  isSignedIn(request: HonoRequest): boolean {
    const site = request.header("sec-fetch-site");
    if (site !== undefined && site !== "same-origin" && site !== "none") return false;
    const origin = request.header("origin")?.toLowerCase();
    if (origin !== undefined && !isOwnOrigin(origin, (request.header("host") ?? "").toLowerCase())) return false;
    const isRead = request.method === "GET" || request.method === "HEAD";
    // What changes something comes with one of the two from every browser.
    if (!isRead && site !== "same-origin" && origin === undefined) return false;
    const name = this.#cookieName();
    return (request.header("cookie") ?? "")
      .split(";")
      .some((pair) => pair.trim().startsWith(`${name}=`) && this.#isGood(pair.trim().slice(name.length + 1)));
  }

  #isGood(value: string): boolean {
    const [, expiresAt = "", nonce = "", signature = ""] = cookieShape.exec(value) ?? [];
    if (signature === "" || Number(expiresAt) <= this.#options.clock.now()) return false;
    return crypto.timingSafeEqual(Buffer.from(signature), Buffer.from(this.#signature(`${expiresAt}.${nonce}`)));
  }

  #signature(claim: string): string {
    return new Bun.CryptoHasher("sha256", this.#options.token).update(`page session ${claim}`).digest("base64url");
  }

  /** Cookies do not know ports: two hosts on one machine must not take each other's. */
  #cookieName(): string {
    return `incipit-${this.#options.port() ?? 0}`;
  }

  #cookie(value: string, { seconds, isSecure }: { readonly seconds: number; readonly isSecure: boolean }): string {
    const secure = isSecure ? "; Secure" : "";
    return `${this.#cookieName()}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}

export interface SignInCookie {
  /** What `Set-Cookie` has. */
  readonly cookie: string;
  readonly expiresAtMs: number;
}

function randomText(byteCount: number): string {
  return crypto.getRandomValues(Buffer.alloc(byteCount)).toString("base64url");
}
