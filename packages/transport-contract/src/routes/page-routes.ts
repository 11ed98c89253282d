import { lazySchema, timestampSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

/** The header with what a page that is signed in has beside its cookie. */
export const pageKeyHeader = "incipit-page-key";

export const signInRequestSchema = lazySchema(() => z.strictObject({ code: z.string().min(1).max(200) }));
const signedInResponseSchema = lazySchema(() =>
  z.object({
    expiresAt: timestampSchema,
    /** For the header `incipit-page-key` of each request: the cookie is not enough, as browsers send it to other ports, too. */
    key: z.string(),
  }),
);
const signedOutResponseSchema = lazySchema(() => z.object({ signedOut: z.literal(true) }));
export const signInLinkResponseSchema = lazySchema(() =>
  z.object({
    /** The address of the page, with the code in its fragment: no server's log has it. */
    url: z.string(),
    expiresAt: timestampSchema,
  }),
);

/** The routes by which a browser is let in. */
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
