import {
  accessTokenSchema,
  conversationIdSchema,
  lazySchema,
  newAccessTokenSchema,
  timestampSchema,
} from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

/** Routes of user-created tokens, which have fewer permissions than the host's own and expire. */
export const tokenRoutes = {
  /** Lists API tokens and signed-in browsers, without secrets, newest first. */
  listTokens: {
    method: "GET",
    path: "/tokens",
    access: "admin",
    summary: "The tokens, without their secrets",
    response: lazySchema(() =>
      z.object({
        /** Newest first, without the host's own token. */
        tokens: z.array(accessTokenSchema),
      }),
    ),
  },
  /**
   * Creates a token with scopes and an end. Its secret is returned only once. A token created with another token
   * cannot have more permissions or a later end.
   */
  createToken: {
    method: "POST",
    path: "/tokens",
    access: "admin",
    summary: "Create a token; it has at most the permissions and lifetime of the token that creates it",
    status: 201,
    body: newAccessTokenSchema,
    response: lazySchema(() =>
      z.object({
        token: accessTokenSchema,
        /** Sent by clients as `Authorization: Bearer …`; returned only once. */
        secret: z.string(),
      }),
    ),
  },
  /**
   * Revokes a token and all tokens created with it, and closes their streams. It remains in the list as `revoked`.
   */
  revokeToken: {
    method: "DELETE",
    path: "/tokens/:id",
    access: "admin",
    params: lazySchema(() =>
      z.object({
        /** Id of the token. */
        id: z.string(),
      }),
    ),
    summary: "Revoke a token and those created with it; ends their streams",
    response: lazySchema(() => z.object({ token: accessTokenSchema })),
  },
  /**
   * Creates a ticket for the URL of one conversation's event stream, for browsers, whose `EventSource` cannot send
   * a token. Must be used within a minute.
   */
  createTicket: {
    method: "POST",
    path: "/tickets",
    access: "read",
    summary: "Create a ticket for the URL of one event stream: a browser's EventSource cannot send a token",
    status: 201,
    body: lazySchema(() =>
      z.strictObject({
        /** Conversation to follow. */
        conversationId: conversationIdSchema,
      }),
    ),
    response: lazySchema(() =>
      z.object({
        /** For the query of `GET /conversations/:id/events`. */
        ticket: z.string(),
        /** Deadline for opening the stream. */
        expiresAt: timestampSchema,
      }),
    ),
  },
} as const satisfies Record<string, Route>;
