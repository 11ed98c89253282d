import type { Clock } from "@incipit/kernel";
import type { TokenId } from "@incipit/schema";
import { pageKeyHeader } from "@incipit/transport-contract";
import type { HonoRequest } from "hono";
import { isOwnOrigin } from "./own-origin.ts";
import { signInCodesOf, type SignInCode, type SignInCodes } from "./sign-in-codes.ts";

/** What the list of tokens gives a browser: nothing else is looked for there. */
const secretShape = /^incipit_browser_[\w-]{43}$/;

export interface PageSessionsOptions {
  readonly token: string;
  /** The port that is open; `undefined` before it is. */
  readonly port: () => number | undefined;
  readonly clock: Clock;
}

/** How browsers get in, and show who they are: each with a cookie, whose text the list of tokens has made. */
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

  /** Whether a code is good, which it is for nobody after this. */
  useCode(code: string): boolean {
    return this.#codes.use(code, this.#options.clock);
  }

  /** What `Set-Cookie` has for a browser that is let in. */
  cookie(secret: string, { seconds, isSecure }: { readonly seconds: number; readonly isSecure: boolean }): string {
    const secure = isSecure ? "; Secure" : "";
    return `${this.#cookieName()}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** What the page shows beside its cookie, which browsers send to other ports, too. */
  keyOf(id: TokenId): string {
    return new Bun.CryptoHasher("sha256", this.#options.token).update(`page key ${id}`).digest("base64url");
  }

  hasKey(request: HonoRequest, id: TokenId): boolean {
    const given = Buffer.from(request.header(pageKeyHeader) ?? "");
    const key = Buffer.from(this.keyOf(id));
    return given.byteLength === key.byteLength && crypto.timingSafeEqual(given, key);
  }

  /** The cookie that takes the place of a browser's own, and stands for nothing. */
  signedOutCookie(): string {
    return this.cookie("", { seconds: 0, isSecure: false });
  }

  /**
   * What a browser shows with a request of the host's own page; nothing, where it is another page's. A browser sends the cookie also for pages
   * of other ports of this machine, and says whose the request is. Pages of other origins show a token of their own.
   */
  secretsOf(request: HonoRequest): readonly string[] {
    const site = request.header("sec-fetch-site");
    if (site !== undefined && site !== "same-origin" && site !== "none") return [];
    const origin = request.header("origin")?.toLowerCase();
    if (origin !== undefined && !isOwnOrigin(origin, (request.header("host") ?? "").toLowerCase())) return [];
    const isRead = request.method === "GET" || request.method === "HEAD";
    // What changes something comes with one of the two from every browser.
    if (!isRead && site !== "same-origin" && origin === undefined) return [];
    const name = this.#cookieName();
    // Other programs of this machine can set cookies of the same name.
    return (request.header("cookie") ?? "").split(";").flatMap((pair) => {
      const [key = "", value = ""] = pair.trim().split("=", 2);
      return key === name && secretShape.test(value) ? [value] : [];
    });
  }

  /** Cookies do not know ports: two hosts on one machine must not take each other's. */
  #cookieName(): string {
    return `incipit-${this.#options.port() ?? 0}`;
  }
}
