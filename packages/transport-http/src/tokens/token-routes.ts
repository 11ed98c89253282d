import { ServiceError } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { need, type Services } from "../context/services.ts";
import { tokenOf, type Caller } from "../request/caller.ts";
import type { Handlers } from "../request/route-call.ts";
import type { StreamTickets } from "../request/stream-tickets.ts";

const dayMs = 86_400_000;

export function tokenHandlers({ accessTokens, conversations, clock }: Services, tickets: StreamTickets) {
  const tokens = () => need(accessTokens, "list of tokens");
  return {
    listTokens: async (call) => call.answer({ tokens: await tokens().list() }),
    createToken: async (call) => {
      const request = await call.body();
      const caller = call.caller;
      const createdBy = tokenOf(caller)?.id;
      refuseMore(caller, { ...request, endsAtMs: clock.now() + request.days * dayMs });
      return call.answer(await tokens().create(request, createdBy === undefined ? {} : { createdBy }));
    },
    revokeToken: async (call) => call.answer({ token: await tokens().revoke(call.param("id")) }),
    createTicket: async (call) => {
      const { conversationId } = await call.body();
      const { id } = await need(conversations, "session orchestrator").get(conversationId);
      const of = call.caller;
      // Unreachable: tickets open only streams, and the route requires a token.
      if (of === undefined || of.kind === "ticket") throw new ServiceError("UNAUTHORIZED", "Send a token");
      const path = routes.followEvents.path.replace(":id", id);
      const { ticket, expiresAtMs } = tickets.newTicket({ of, path }, clock);
      return call.answer({ ticket, expiresAt: new Date(expiresAtMs).toISOString() });
    },
  } satisfies Partial<Handlers>;
}

/** @throws {ServiceError} `FORBIDDEN_SCOPE` if the new token would exceed the caller's permissions. */
function refuseMore(
  caller: Caller | undefined,
  asked: { readonly scopes: readonly string[]; readonly endsAtMs: number },
): void {
  const own = tokenOf(caller);
  if (own === undefined) return;
  const { scopes, endsAt } = own;
  const has = new Set<string>(scopes);
  const beyond = asked.scopes.filter((scope) => !has.has(scope));
  if (beyond.length > 0) {
    const message = `A token can grant no more than it has: this one has ${quoted(scopes)}, and not ${quoted(beyond)}`;
    throw new ServiceError("FORBIDDEN_SCOPE", message, { details: { needs: beyond, has: scopes } });
  }
  if (asked.endsAtMs > Date.parse(endsAt)) {
    const message = `A token can grant no longer than it has: this one ends on ${endsAt}; ask for fewer days, or use the host's own token`;
    throw new ServiceError("FORBIDDEN_SCOPE", message, { details: { endsAt } });
  }
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}
