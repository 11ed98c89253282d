import * as z from "zod";
import { tokenIdSchema } from "./ids.ts";
import { lazySchema } from "./lazy-schema.ts";
import { oneLine } from "./one-line.ts";
import { timestampSchema } from "./timestamp.ts";
import { tokenScopeSchema } from "./token-scope.ts";

const maxNameLength = 100;
const maxDays = 3_650;
const daysRule = `must be a whole number from 1 to ${maxDays}`;

/** A token for the HTTP API, or a browser that is signed in, without its secret: that was shown once, and is not kept. */
export const accessTokenSchema = lazySchema(() =>
  z.object({
    id: tokenIdSchema,
    /** `browser`: the sign-in of one, which may do what the host's own token may; it ends when somebody signs out there. */
    kind: z.enum(["token", "browser"]),
    /** `null`: it was given none. That of a browser is what it says of itself. */
    name: z.string().nullable(),
    scopes: z.array(tokenScopeSchema),
    /** Over: nobody can use it any more. */
    state: z.enum(["active", "ended", "revoked"]),
    createdAt: timestampSchema,
    /** The token that made it, with which it is revoked; `null`: the host's own, or its page. */
    createdBy: tokenIdSchema.nullable(),
    endsAt: timestampSchema,
    revokedAt: timestampSchema.nullable(),
    /** A restart of the host forgets at most its last minute. */
    lastUsedAt: timestampSchema.nullable(),
  }),
);
export type AccessToken = z.infer<typeof accessTokenSchema>;

/** What a new token is to be. */
export const newAccessTokenSchema = lazySchema(() =>
  z.strictObject({
    scopes: z
      .array(tokenScopeSchema)
      .min(1, "must name at least one scope")
      .refine((scopes) => new Set(scopes).size === scopes.length, "must name each scope once"),
    /** How long it is good for. */
    days: z.int(daysRule).min(1, daysRule).max(maxDays, daysRule),
    name: z
      .string()
      .min(1)
      .max(maxNameLength, `must have at most ${maxNameLength} characters`)
      .regex(...oneLine)
      .exactOptional(),
  }),
);
export type NewAccessToken = z.infer<typeof newAccessTokenSchema>;
