import { lazySchema, timestampSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

/** Request header with the page's key, required in addition to the cookie. */
export const pageKeyHeader = "incipit-page-key";

export const signInRequestSchema = lazySchema(() => z.strictObject({ code: z.string().min(1).max(200) }));
const signedInResponseSchema = lazySchema(() =>
  z.object({
    expiresAt: timestampSchema,
    /** Value of the header `incipit-page-key`, required because browsers also send the cookie to other ports. */
    key: z.string(),
  }),
);
const signedOutResponseSchema = lazySchema(() => z.object({ signedOut: z.literal(true) }));
export const signInLinkResponseSchema = lazySchema(() =>
  z.object({
    /** URL of the page with the code in its fragment, so that no server logs it. */
    url: z.string(),
    expiresAt: timestampSchema,
  }),
);

/** Routes for browser sign-in. */
export const pageRoutes = {
  signIn: {
    method: "POST",
    path: "/session",
    access: "open",
    summary: "Exchange a one-time code for a cookie and a key, which together stand for the token in this browser",
    status: 200,
    body: signInRequestSchema,
    response: signedInResponseSchema,
  },
  signOut: {
    method: "DELETE",
    path: "/session",
    access: "owner",
    summary: "Take the cookie back",
    status: 200,
    response: signedOutResponseSchema,
  },
  createSignInLink: {
    method: "POST",
    path: "/session/links",
    access: "owner",
    summary: "A link that signs one browser in, once, within a quarter of an hour",
    status: 201,
    response: signInLinkResponseSchema,
  },
} as const satisfies Record<string, Route>;
