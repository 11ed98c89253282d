import * as z from "zod";

/** As whom the host is registered at an authorization server (RFC 7591). */
export const storedClientSchema = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  /** How it authenticates itself: servers refuse another way. */
  token_endpoint_auth_method: z.string().optional(),
  issuer: z.string().optional(),
});

export type RegisteredClient = z.infer<typeof storedClientSchema>;

/** What a sign-in has given, as it is stored below the name of the server. */
export const storedSignInSchema = z.object({
  /** That of the server that it is for. */
  url: z.string(),
  /** As RFC 6749, section 5.1 has them. `issuer`: who gave them. */
  tokens: z.object({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
    expires_in: z.number().optional(),
    issuer: z.string().optional(),
  }),
  /** Absent: as the configuration says. */
  client: storedClientSchema.optional(),
});
export type StoredSignIn = z.infer<typeof storedSignInSchema>;
