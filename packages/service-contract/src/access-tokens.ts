import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { AccessToken, NewAccessToken, TokenId } from "@incipit/schema";

/** Result of a token lookup. `over`: the token has expired or was revoked. */
export type FoundToken =
  | {
      readonly kind: "active";
      readonly token: AccessToken;
      /** Aborts when the token expires or is revoked. */
      readonly over: AbortSignal;
    }
  | { readonly kind: "over"; readonly token: AccessToken }
  | { readonly kind: "unknown" };

export interface CreateTokenOptions {
  /** Token of the requesting client. Defaults to the host's own token. */
  readonly createdBy?: TokenId;
  /**
   * `browser`: created by a sign-in. Valid until the host exits if it cannot be stored. At the limit, the least
   * recently used one ends.
   */
  readonly kind?: AccessToken["kind"];
}

export interface CreatedToken {
  readonly token: AccessToken;
  /** The bearer secret that clients send. Returned only here; it cannot be read later. */
  readonly secret: string;
}

/** API tokens created by users, in addition to the host's own. */
export interface AccessTokens {
  /** Looks up a token by its secret and records the use. */
  find(secret: string): Promise<FoundToken>;
  /** Lists tokens, newest first. Ended tokens remain listed for 90 days. */
  list(): Promise<readonly AccessToken[]>;
  /**
   * Creates a token.
   * @throws {ServiceError} `STORAGE_FAILED`, `INVALID_REQUEST` at the limit of tokens, `UNAUTHORIZED` when the
   * creator's token has ended.
   */
  create(request: NewAccessToken, options?: CreateTokenOptions): Promise<CreatedToken>;
  /**
   * Revokes a token and all tokens created with it. A token that has already ended is returned unchanged.
   * @throws {ServiceError} `TOKEN_UNKNOWN`; `STORAGE_FAILED`: revoked only until the host exits.
   */
  revoke(id: string): Promise<AccessToken>;
}

export const accessTokensHandle: ServiceHandle<AccessTokens> = defineHandle<AccessTokens>("access-tokens@1", {
  find: "function",
  list: "function",
  create: "function",
  revoke: "function",
});
