import { tokenScopeSchema, type AccessToken } from "@incipit/schema";
import type { RouteAccess } from "@incipit/transport-contract";
import type { TicketUse } from "./stream-tickets.ts";

/** `owner`: the host's own token. `browser`: a session with the same permissions. */
export type KnownCaller =
  | { readonly kind: "owner" }
  | {
      readonly kind: "token" | "browser";
      readonly token: AccessToken;
      /** Closes the caller's streams. */
      readonly over: AbortSignal;
    };

/** `ticket`: a browser that follows one stream on behalf of a caller. */
export type Caller = KnownCaller | ({ readonly kind: "ticket" } & TicketUse);

export interface ApiEnv {
  Variables: {
    caller: Caller | undefined;
  };
}

export function mayUse(caller: Caller | undefined, access: RouteAccess): boolean {
  if (access === "open" || caller?.kind === "owner" || caller?.kind === "browser") return true;
  if (caller === undefined || access === "owner") return false;
  if (caller.kind === "ticket") return access === "read" && mayUse(caller.of, access);
  return caller.token.scopes.includes(access);
}

export function tokenOf(caller: Caller | undefined): AccessToken | undefined {
  if (caller?.kind === "ticket") return tokenOf(caller.of);
  return caller?.kind === "token" ? caller.token : undefined;
}

/** A token id, or `null` for the host's own token or page. */
export type TokenOwner = string | null;

export function ownerOf(caller: Caller | undefined): TokenOwner {
  return tokenOf(caller)?.id ?? null;
}

export function accessSignal(caller: Caller | undefined): AbortSignal | undefined {
  return caller === undefined || caller.kind === "owner" ? undefined : caller.over;
}

export function inOrder(scopes: readonly string[]): readonly string[] {
  return tokenScopeSchema.options.filter((scope) => scopes.includes(scope));
}
