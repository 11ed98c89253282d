import { tokenScopeSchema, type AccessToken } from "@incipit/schema";
import type { RouteAccess } from "@incipit/transport-contract";

/** Who asks. `owner`: has the host's own token, or is signed in to its page. */
export type Caller =
  | { readonly kind: "owner" }
  | {
      readonly kind: "token";
      readonly token: AccessToken;
      /** Aborts when the token is over, and with it what was opened. */
      readonly over: AbortSignal;
    };

/** What a request carries through the API. */
export interface ApiEnv {
  Variables: {
    /** `undefined`: nobody that the host knows, as open routes may be asked by. */
    caller: Caller | undefined;
  };
}

export function mayUse(caller: Caller | undefined, access: RouteAccess): boolean {
  if (access === "open" || caller?.kind === "owner") return true;
  if (caller === undefined || access === "owner") return false;
  return caller.token.scopes.includes(access);
}

/** Aborts when the caller may not go on; `undefined`: that does not happen. */
export function overOf(caller: Caller | undefined): AbortSignal | undefined {
  return caller?.kind === "token" ? caller.over : undefined;
}

/** Scopes in one order, whoever wrote them down. */
export function inOrder(scopes: readonly string[]): readonly string[] {
  return tokenScopeSchema.options.filter((scope) => scopes.includes(scope));
}
