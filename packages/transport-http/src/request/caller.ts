import { tokenScopeSchema, type AccessToken } from "@incipit/schema";
import type { RouteAccess } from "@incipit/transport-contract";
import type { TicketUse } from "./stream-tickets.ts";

/** Who shows what is theirs. `owner`: has the host's own token. `browser`: is signed in to its page, and may do the same. */
export type KnownCaller =
  | { readonly kind: "owner" }
  | {
      readonly kind: "token" | "browser";
      readonly token: AccessToken;
      /** Aborts when the token is over, and with it what was opened. */
      readonly over: AbortSignal;
    };

/** Who asks. `ticket`: a browser that follows one stream for somebody who may. */
export type Caller = KnownCaller | ({ readonly kind: "ticket" } & TicketUse);

/** What a request carries through the API. */
export interface ApiEnv {
  Variables: {
    /** `undefined`: nobody that the host knows, as open routes may be asked by. */
    caller: Caller | undefined;
  };
}

export function mayUse(caller: Caller | undefined, access: RouteAccess): boolean {
  if (access === "open" || caller?.kind === "owner" || caller?.kind === "browser") return true;
  if (caller === undefined || access === "owner") return false;
  if (caller.kind === "ticket") return access === "read" && mayUse(caller.of, access);
  return caller.token.scopes.includes(access);
}

/** With which token somebody asks that was made for them; `undefined`: with none, the host's own, or from its page. */
export function tokenOf(caller: Caller | undefined): AccessToken | undefined {
  if (caller?.kind === "ticket") return tokenOf(caller.of);
  return caller?.kind === "token" ? caller.token : undefined;
}

/** Whose it is what somebody makes that their token alone may see: the token's id; `null`: the host's own, or its page's. */
export type TokenOwner = string | null;

export function ownerOf(caller: Caller | undefined): TokenOwner {
  return tokenOf(caller)?.id ?? null;
}

/** Aborts when the caller may not go on; `undefined`: that does not happen. */
export function overOf(caller: Caller | undefined): AbortSignal | undefined {
  return caller === undefined || caller.kind === "owner" ? undefined : caller.over;
}

/** Scopes in one order, whoever wrote them down. */
export function inOrder(scopes: readonly string[]): readonly string[] {
  return tokenScopeSchema.options.filter((scope) => scopes.includes(scope));
}
