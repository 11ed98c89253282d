import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { AccessToken, NewAccessToken, TokenId } from "@incipit/schema";

/** Whose a text is. `over`: its token has ended, or was revoked. */
export type FoundToken =
  | {
      readonly kind: "active";
      readonly token: AccessToken;
      /** Aborts at the moment that the token is over. */
      readonly over: AbortSignal;
    }
  | { readonly kind: "over"; readonly token: AccessToken }
  | { readonly kind: "unknown" };

export interface CreateTokenOptions {
  /** The token that asks for it; absent: the host's own. */
  readonly createdBy?: TokenId;
  /**
   * `browser`: it is one that has signed in, which holds until the host ends where it cannot be written. Where there are too many
   * of those, the one that was used longest ago ends.
   */
  readonly kind?: AccessToken["kind"];
}

export interface CreatedToken {
  readonly token: AccessToken;
  /** What clients send. It is told this once. */
  readonly secret: string;
}

/** The tokens that people have made beside the host's own. */
export interface AccessTokens {
  /** Counts as a use of the token. */
  find(secret: string): Promise<FoundToken>;
  /** Newest first; those that are over for 90 days. */
  list(): Promise<readonly AccessToken[]>;
  /**
   * @throws {ServiceError} `STORAGE_FAILED`: it was not made. `INVALID_REQUEST`: there are too many. `UNAUTHORIZED`: the one that
   * asks for it is over.
   */
  create(request: NewAccessToken, options?: CreateTokenOptions): Promise<CreatedToken>;
  /**
   * Nobody can use it any more once this resolves, nor those that it has made; one that is over stays as it is.
   * @throws {ServiceError} `TOKEN_UNKNOWN`; `STORAGE_FAILED`: it holds until the host ends.
   */
  revoke(id: string): Promise<AccessToken>;
}

export const accessTokensHandle: ServiceHandle<AccessTokens> = defineHandle<AccessTokens>("access-tokens@1", {
  find: "function",
  list: "function",
  create: "function",
  revoke: "function",
});
