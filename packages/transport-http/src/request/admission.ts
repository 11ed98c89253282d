import type { Clock, Log, ServiceReference } from "@incipit/kernel";
import type { AccessToken } from "@incipit/schema";
import type { AccessTokens } from "@incipit/service-contract";
import { statusByErrorCode, type RouteAccess } from "@incipit/transport-contract";
import type { HonoRequest, MiddlewareHandler } from "hono";
import { errorAnswer } from "../answer/error-answer.ts";
import { inOrder, mayUse, tokenOf, type ApiEnv, type Caller } from "./caller.ts";
import type { PageSessions } from "./page-sessions.ts";
import type { StreamTickets } from "./stream-tickets.ts";

/** `over`: the token expired or was revoked; `ticket-over`: likewise, for a ticket. */
export type Admission =
  | { readonly kind: "admitted"; readonly caller: Caller }
  | { readonly kind: "over"; readonly token: AccessToken }
  | { readonly kind: "ticket-over" }
  | { readonly kind: "unknown" };

export interface AdmissionOptions {
  readonly token: string;
  readonly sessions: PageSessions;
  readonly accessTokens: ServiceReference<AccessTokens>;
  readonly tickets: StreamTickets;
  readonly clock: Clock;
}

/**
 * Also accepts `x-api-key` below `/v1`, and a ticket in the URL of an event stream. Only values with a token's format
 * are looked up.
 */
export function admissionCheck({
  token,
  sessions,
  accessTokens,
  tickets,
  clock,
}: AdmissionOptions): (request: HonoRequest) => Promise<Admission> {
  const own = digest(token);
  const signedIn = async (request: HonoRequest): Promise<Admission> => {
    for (const secret of sessions.secretsOf(request)) {
      const found = await accessTokens.current?.find(secret);
      if (found?.kind === "active" && found.token.kind === "browser" && sessions.hasKey(request, found.token.id))
        return { kind: "admitted", caller: { kind: "browser", token: found.token, over: found.over } };
    }
    return { kind: "unknown" };
  };
  return async (request) => {
    const authorization = request.header("authorization") ?? keyOf(request);
    const ticket = request.raw.method === "GET" ? request.query("ticket") : undefined;
    if (authorization === undefined && ticket !== undefined) {
      const use = tickets.use(ticket, request.path, clock);
      return use === undefined ? { kind: "ticket-over" } : { kind: "admitted", caller: { kind: "ticket", ...use } };
    }
    if (authorization === undefined) return signedIn(request);
    const [, given = ""] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    if (crypto.timingSafeEqual(digest(given), own)) return { kind: "admitted", caller: owner };
    const found = tokenShape.test(given) ? await accessTokens.current?.find(given) : undefined;
    if (found === undefined || found.kind !== "active") return found ?? { kind: "unknown" };
    return { kind: "admitted", caller: { kind: "token", token: found.token, over: found.over } };
  };
}

/** Returns the token from the header `x-api-key`, which Anthropic's clients send. */
function keyOf(request: HonoRequest): string | undefined {
  const key = request.path.startsWith("/v1/") ? request.header("x-api-key") : undefined;
  return key === undefined ? undefined : `Bearer ${key}`;
}

const owner: Caller = { kind: "owner" };
const tokenShape = /^incipit_[\w-]{43}$/;

export interface AdmitOptions {
  readonly admissionOf: (request: HonoRequest) => Promise<Admission>;
  readonly isOpen: (request: HonoRequest) => boolean;
  readonly log: Log;
}

/** Logs requests with user-created tokens by name. */
export function admit({ admissionOf, isOpen, log }: AdmitOptions): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { req } = context;
    const admission = await admissionOf(req);
    const logUse = ({ id, name }: AccessToken, status: number): void =>
      log.info("Requested with a token", {
        method: req.method,
        path: req.path,
        status,
        by: name,
        tokenId: id,
      });
    if (admission.kind === "admitted") {
      const { caller } = admission;
      context.set("caller", caller);
      await next();
      if (caller.kind === "ticket" && !context.res.ok) caller.end(); // Otherwise when the stream ends.
      const token = tokenOf(caller);
      if (token !== undefined) logUse(token, context.res.status);
      return undefined;
    }
    if (isOpen(req)) {
      await next();
      return undefined;
    }
    if (admission.kind === "unknown")
      return challenge(
        errorAnswer(
          "UNAUTHORIZED",
          'Send "Authorization: Bearer TOKEN"; the command "incipit token" prints the token',
        ),
      );
    if (admission.kind === "ticket-over")
      return challenge(
        errorAnswer(
          "UNAUTHORIZED",
          "This ticket is for another stream, or expired: it opens its stream within a minute, and again within a minute after a disconnect; create a new one with POST /tickets",
        ),
      );
    logUse(admission.token, statusByErrorCode.UNAUTHORIZED);
    return challenge(overAnswer(admission.token), 'error="invalid_token"');
  };
}

export function refusalFor(
  { req, caller }: { readonly req: HonoRequest; readonly caller: Caller | undefined },
  access: RouteAccess,
): Response | undefined {
  if (mayUse(caller, access)) return undefined;
  const what = `${req.method} ${req.path}`;
  const { name, scopes: given } = tokenOf(caller) ?? { name: null, scopes: [] };
  const scopes = inOrder(given);
  const this_ = `this one${name === null ? "" : ` ("${name}")`} has ${scopes.map((scope) => `"${scope}"`).join(", ")}`;
  const details = { needs: access, has: scopes };
  if (access === "owner") {
    const message = `${what} is for the host's own token alone, which "incipit token" prints, and for its page; ${this_}`;
    return challenge(errorAnswer("FORBIDDEN_SCOPE", message, details), 'error="insufficient_scope"');
  }
  const wanted = inOrder([...scopes, access]).join(",");
  const message = `${what} needs a token with the scope "${access}"; ${this_}; make another one: incipit token new --scope ${wanted} --days 30`;
  return challenge(
    errorAnswer("FORBIDDEN_SCOPE", message, details),
    `error="insufficient_scope", scope="${access}"`,
  );
}

function overAnswer({ state, endsAt, revokedAt }: AccessToken): Response {
  const what = state === "revoked" ? `was revoked on ${revokedAt ?? endsAt}` : `ended on ${endsAt}`;
  const message = `This token ${what}; make another with: incipit token new`;
  return errorAnswer("UNAUTHORIZED", message, { state, endsAt, revokedAt });
}

export function accessEndedAnswer(): Response {
  const message = "The token expired or was revoked before the answer began: check the result with another token";
  return challenge(errorAnswer("UNAUTHORIZED", message), 'error="invalid_token"');
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function challenge(refusal: Response, more = ""): Response {
  refusal.headers.set("www-authenticate", more === "" ? "Bearer" : `Bearer ${more}`);
  return refusal;
}

/** Hashes a text, because only texts of equal length can be compared in constant time. */
function digest(text: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}
