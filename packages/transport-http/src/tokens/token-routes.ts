import { ServiceError, type AccessTokens } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { need, type Services } from "../context/services.ts";
import type { Caller } from "../request/caller.ts";
import { param, type Handlers } from "../request/handler.ts";
import { readBody } from "../request/read-body.ts";

type TokenRoute = "listTokens" | "createToken" | "revokeToken";

const dayMs = 86_400_000;

/** The tokens beside the host's own. */
export function tokenHandlers({ accessTokens, clock }: Services): Handlers<TokenRoute> {
  const tokens = (): AccessTokens => need(accessTokens, "list of tokens");
  return {
    listTokens: async () => answer(routes.listTokens, { tokens: await tokens().list() }),
    createToken: async (context) => {
      const request = await readBody(context.req.raw, routes.createToken.body, clock);
      const caller = context.get("caller");
      const createdBy = caller?.kind === "token" ? caller.token.id : undefined;
      refuseMore(caller, { ...request, endsAtMs: clock.now() + request.days * dayMs });
      return answer(
        routes.createToken,
        await tokens().create(request, createdBy === undefined ? {} : { createdBy }),
      );
    },
    revokeToken: async (context) =>
      answer(routes.revokeToken, { token: await tokens().revoke(param(context, "id")) }),
  };
}

/** @throws {ServiceError} `FORBIDDEN_SCOPE`: nobody gives away more than they have. */
function refuseMore(
  caller: Caller | undefined,
  asked: { readonly scopes: readonly string[]; readonly endsAtMs: number },
): void {
  if (caller?.kind !== "token") return;
  const { scopes, endsAt } = caller.token;
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
