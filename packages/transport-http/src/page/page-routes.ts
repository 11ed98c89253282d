import { errorMessage } from "@incipit/kernel";
import { tokenScopeSchema } from "@incipit/schema";
import { ServiceError, type AccessTokens } from "@incipit/service-contract";
import { routes, signInRequestSchema } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { need, type Services } from "../context/services.ts";
import type { Handlers } from "../request/handler.ts";
import type { PageSessions } from "../request/page-sessions.ts";
import { readBody } from "../request/read-body.ts";

type PageRoute = "signIn" | "signOut" | "createSignInLink";

const signInDays = 30;

export function pageHandlers({ accessTokens, clock, log }: Services, sessions: PageSessions): Handlers<PageRoute> {
  const tokens = (): AccessTokens => need(accessTokens, "list of tokens");
  /** The code is used up, so the sign-in must succeed regardless. */
  const noteLeft = (error: unknown): void =>
    log.error("The sign-in that a browser had before could not be ended", { error: errorMessage(error) });
  return {
    signIn: async ({ req, get }, signal) => {
      const { code } = await readBody(req.raw, signInRequestSchema, { clock, signal });
      const isSecure = req.header("origin")?.startsWith("https:") === true;
      const list = tokens();
      if (!sessions.useCode(code)) {
        const message =
          'This link was used before, or is older than a quarter of an hour; "incipit page" prints a new one';
        throw new ServiceError("UNAUTHORIZED", message);
      }
      const name = browserName(req.header("user-agent") ?? "");
      const scopes = [...tokenScopeSchema.options];
      const { token, secret } = await list.create({ scopes, days: signInDays, name }, { kind: "browser" });
      const before = get("caller");
      // The answer replaces its cookie, so the old session would remain.
      if (before?.kind === "browser") await list.revoke(before.token.id).catch(noteLeft);
      const { endsAt: expiresAt } = token;
      const seconds = Math.floor((Date.parse(expiresAt) - clock.now()) / 1_000);
      return withCookie(
        answer(routes.signIn, { expiresAt, key: sessions.keyOf(token.id) }),
        sessions.cookie(secret, { seconds, isSecure }),
      );
    },
    signOut: async (context) => {
      const caller = context.get("caller");
      if (caller?.kind === "browser") await tokens().revoke(caller.token.id);
      return withCookie(answer(routes.signOut, { signedOut: true }), sessions.signedOutCookie());
    },
    createSignInLink: ({ req }) => {
      const { code, expiresAtMs } = sessions.newCode();
      const url = `${new URL(req.url).origin}/#code=${code}`;
      return answer(routes.createSignInLink, { url, expiresAt: new Date(expiresAtMs).toISOString() });
    },
  };
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
