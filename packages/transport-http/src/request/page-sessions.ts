import type { Clock } from "@incipit/kernel";
import type { TokenId } from "@incipit/schema";
import { pageKeyHeader } from "@incipit/transport-contract";
import type { HonoRequest } from "hono";
import { isOwnOrigin } from "./own-origin.ts";
import { signInCodesOf, type SignInCode, type SignInCodes } from "./sign-in-codes.ts";

const secretShape = /^incipit_browser_[\w-]{43}$/;

export interface PageSessionsOptions {
  readonly token: string;
  readonly port: () => number | undefined;
  readonly clock: Clock;
}

/** A cookie per browser, whose secret comes from the token service. */
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

  useCode(code: string): boolean {
    return this.#codes.use(code, this.#options.clock);
  }

  cookie(secret: string, { seconds, isSecure }: { readonly seconds: number; readonly isSecure: boolean }): string {
    const secure = isSecure ? "; Secure" : "";
    return `${this.#cookieName()}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** Required in addition to the cookie, which browsers also send to other ports. */
  keyOf(id: TokenId): string {
    return new Bun.CryptoHasher("sha256", this.#options.token).update(`page key ${id}`).digest("base64url");
  }

  hasKey(request: HonoRequest, id: TokenId): boolean {
    const given = Buffer.from(request.header(pageKeyHeader) ?? "");
    const key = Buffer.from(this.keyOf(id));
    return given.byteLength === key.byteLength && crypto.timingSafeEqual(given, key);
  }

  signedOutCookie(): string {
    return this.cookie("", { seconds: 0, isSecure: false });
  }

  /** Other pages must use a token: browsers send the cookie also for pages on other ports, but report the origin. */
  secretsOf(request: HonoRequest): readonly string[] {
    const site = request.header("sec-fetch-site");
    if (site !== undefined && site !== "same-origin" && site !== "none") return [];
    const origin = request.header("origin")?.toLowerCase();
    if (origin !== undefined && !isOwnOrigin(origin, (request.header("host") ?? "").toLowerCase())) return [];
    const isRead = request.method === "GET" || request.method === "HEAD";
    // Browsers send at least one of the two with every write.
    if (!isRead && site !== "same-origin" && origin === undefined) return [];
    const name = this.#cookieName();
    // Other local programs can set cookies of the same name.
    return (request.header("cookie") ?? "").split(";").flatMap((pair) => {
      const [key = "", value = ""] = pair.trim().split("=", 2);
      return key === name && secretShape.test(value) ? [value] : [];
    });
  }

  /** Cookies ignore ports: two hosts on one machine need distinct names. */
  #cookieName(): string {
    return `incipit-${this.#options.port() ?? 0}`;
  }
}
