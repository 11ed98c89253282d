import { lazySchema, timestampSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

/** Request header with the page's key, required in addition to the cookie. */
export const pageKeyHeader = "incipit-page-key";

/** Routes for browser sign-in. */
export const pageRoutes = {
  /**
   * Exchanges the one-time code of a sign-in link for a cookie and a key, which requests of the page need together.
   */
  signIn: {
    method: "POST",
    path: "/session",
    access: "open",
    summary: "Exchange a one-time code for a cookie and a key, which together authenticate this browser",
    body: lazySchema(() =>
      z.strictObject({
        /** One-time code of the link. */
        code: z.string().min(1).max(200),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        /** End of the session. */
        expiresAt: timestampSchema,
        /** Value of the header `incipit-page-key`, required because browsers also send the cookie to other ports. */
        key: z.string(),
      }),
    ),
  },
  /** Ends the session of the browser that sends the request: its cookie and key become invalid. */
  signOut: {
    method: "DELETE",
    path: "/session",
    access: "owner",
    summary: "Sign out: delete the cookie",
    response: lazySchema(() =>
      z.object({
        /** The cookie is no longer valid. */
        signedOut: z.literal(true),
      }),
    ),
  },
  /**
   * Creates a link that signs in the first browser that opens it, within 15 minutes. Its code is in the fragment,
   * which servers do not log.
   */
  createSignInLink: {
    method: "POST",
    path: "/session/links",
    access: "owner",
    summary: "Create a link that signs in one browser, once, within 15 minutes",
    status: 201,
    response: lazySchema(() =>
      z.object({
        /** URL of the page with the code in its fragment, so that no server logs it. */
        url: z.string(),
        /** Time until which the link is valid. */
        expiresAt: timestampSchema,
      }),
    ),
  },
} as const satisfies Record<string, Route>;
