import { errorMessage } from "@incipit/kernel";
import { tokenScopeSchema } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { need, type Services } from "../context/services.ts";
import type { Handlers } from "../request/route-call.ts";
import type { PageSessions } from "../request/page-sessions.ts";

const signInDays = 30;

export function pageHandlers({ accessTokens, clock, log }: Services, sessions: PageSessions) {
  const tokens = () => need(accessTokens, "list of tokens");
  /** The code is used up, so the sign-in must succeed regardless. */
  const noteLeft = (error: unknown): void =>
    log.error("The sign-in that a browser had before could not be ended", { error: errorMessage(error) });
  return {
    signIn: async (call) => {
      const { code } = await call.body();
      const isSecure = call.header("origin")?.startsWith("https:") === true;
      const list = tokens();
      if (!sessions.useCode(code)) {
        const message =
          'This link was used before, or is older than a quarter of an hour; "incipit page" prints a new one';
        throw new ServiceError("UNAUTHORIZED", message);
      }
      const name = browserName(call.header("user-agent") ?? "");
      const scopes = [...tokenScopeSchema.options];
      const { token, secret } = await list.create({ scopes, days: signInDays, name }, { kind: "browser" });
      const before = call.caller;
      // The answer replaces its cookie, so the old session would remain.
      if (before?.kind === "browser") await list.revoke(before.token.id).catch(noteLeft);
      const { endsAt: expiresAt } = token;
      const seconds = Math.floor((Date.parse(expiresAt) - clock.now()) / 1_000);
      return withCookie(
        call.answer({ expiresAt, key: sessions.keyOf(token.id) }),
        sessions.cookie(secret, { seconds, isSecure }),
      );
    },
    signOut: async (call) => {
      const caller = call.caller;
      if (caller?.kind === "browser") await tokens().revoke(caller.token.id);
      return withCookie(call.answer({ signedOut: true }), sessions.signedOutCookie());
    },
    createSignInLink: (call) => {
      const { code, expiresAtMs } = sessions.newCode();
      const url = `${new URL(call.context.req.url).origin}/#code=${code}`;
      return call.answer({ url, expiresAt: new Date(expiresAtMs).toISOString() });
    },
  } satisfies Partial<Handlers>;
}

function withCookie(response: Response, cookie: string): Response {
  response.headers.set("set-cookie", cookie);
  return response;
}

/** In order of precedence: each browser also claims to be those after it. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bWindows\b/, "Windows"],
  [/\bLinux\b/, "Linux"],
];

export function browserName(userAgent: string): string {
  const nameIn = (names: typeof browsers): string | undefined => names.find(([says]) => says.test(userAgent))?.[1];
  const browser = nameIn(browsers) ?? "A browser";
  const system = nameIn(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
