import * as z from "zod";

/** A client registration at an authorization server (RFC 7591). */
export const storedClientSchema = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  /** The registered authentication method: servers reject others. */
  token_endpoint_auth_method: z.string().optional(),
  issuer: z.string().optional(),
});

export type RegisteredClient = z.infer<typeof storedClientSchema>;

/** A sign-in, as stored under the server's name. */
export const storedSignInSchema = z.object({
  /** URL of the server. */
  url: z.string(),
  /** As in RFC 6749, section 5.1. `issuer`: the authorization server. */
  tokens: z.object({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
    expires_in: z.number().optional(),
    issuer: z.string().optional(),
  }),
  /** Absent: the configured client. */
  client: storedClientSchema.optional(),
});
export type StoredSignIn = z.infer<typeof storedSignInSchema>;
