import * as z from "zod";

/** RFC 7591. */
export const storedClientSchema = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  /** The registered authentication method: servers reject others. */
  token_endpoint_auth_method: z.string().optional(),
  issuer: z.string().optional(),
});

export type RegisteredClient = z.infer<typeof storedClientSchema>;

export const storedSignInSchema = z.object({
  url: z.string(),
  /** RFC 6749, section 5.1. `issuer`: the authorization server. */
  tokens: z.object({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
    expires_in: z.number().optional(),
    issuer: z.string().optional(),
  }),
  client: storedClientSchema.optional(),
});
export type StoredSignIn = z.infer<typeof storedSignInSchema>;
