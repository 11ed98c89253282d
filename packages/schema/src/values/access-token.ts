import * as z from "zod";
import { tokenIdSchema } from "./ids.ts";
import { lazySchema } from "./lazy-schema.ts";
import { oneLine } from "./one-line.ts";
import { timestampSchema } from "./timestamp.ts";

const maxNameLength = 100;
const maxDays = 3_650;
const daysRule = `must be a whole number from 1 to ${maxDays}`;

/** An API token, or a browser session, without its secret, which is shown once and not stored. */
export const accessTokenSchema = lazySchema(() =>
  z.object({
    id: tokenIdSchema,
    /** `browser`: a browser session with the permissions of the host's own token; ends with a sign-out. */
    kind: z.enum(["token", "browser"]),
    /** `null` if not named. For a browser, derived from its user agent. */
    name: z.string().nullable(),
    /** Permissions of the token. */
    scopes: z.array(tokenScopeSchema),
    /** `ended`: expired or signed out. */
    state: z.enum(["active", "ended", "revoked"]),
    createdAt: timestampSchema,
    /** Token that created this one and is revoked together with it; `null` for the host's own token or its page. */
    createdBy: tokenIdSchema.nullable(),
    endsAt: timestampSchema,
    /** Revocation time; `null` if not revoked. */
    revokedAt: timestampSchema.nullable(),
    /** A restart of the host loses at most the last minute. */
    lastUsedAt: timestampSchema.nullable(),
  }),
);
export type AccessToken = z.infer<typeof accessTokenSchema>;

/** Body of a request that creates a token. */
export const newAccessTokenSchema = lazySchema(() =>
  z.strictObject({
    /** Permissions of the token, each once. */
    scopes: z
      .array(tokenScopeSchema)
      .min(1, "must name at least one scope")
      .refine((scopes) => new Set(scopes).size === scopes.length, "must name each scope once"),
    /** Lifetime in days, from 1 to 3,650. */
    days: z.int(daysRule).min(1, daysRule).max(maxDays, daysRule),
    /** Display name: one line of at most 100 characters. */
    name: z
      .string()
      .min(1)
      .max(maxNameLength, `must have at most ${maxNameLength} characters`)
      .regex(...oneLine)
      .exactOptional(),
  }),
);
export type NewAccessToken = z.infer<typeof newAccessTokenSchema>;

/**
 * Permissions of a token; no scope implies another.
 *
 * - `read`: view conversations, prompts, models and extensions; no changes.
 * - `converse`: create, continue, change and delete conversations, answer approvals, call models.
 * - `prompt`: change prompts, and preview any template.
 * - `records`: view the exact requests to models and their costs, and export conversations.
 * - `admin`: view the configuration, add and swap extensions, start MCP servers, create and revoke tokens and
 *   schedules (which run models autonomously), authorize users on channels, and send messages to them.
 */
export const tokenScopeSchema = z.enum(["read", "converse", "prompt", "records", "admin"]);
export type TokenScope = z.infer<typeof tokenScopeSchema>;
