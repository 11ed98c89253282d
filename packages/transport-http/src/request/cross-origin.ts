import { callIdHeader } from "@incipit/transport-contract";
import type { MiddlewareHandler } from "hono";
import type { AllowedOrigins } from "./allowed-origins.ts";

/** Chromium's maximum. */
const preflightSeconds = 7_200;

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** Headers of API clients that need a preflight. */
const requestHeaders =
  "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer, " +
  // Added by OpenAI's clients in a browser.
  "openai-organization, openai-project, x-stainless-arch, x-stainless-lang, x-stainless-os, x-stainless-package-version, " +
  "x-stainless-retry-count, x-stainless-runtime, x-stainless-runtime-version, x-stainless-timeout";
/** In addition to the default ones. */
const answerHeaders = ["etag", "allow", "preference-applied", "retry-after", "www-authenticate", callIdHeader].join(
  ", ",
);

/**
 * CORS with a token: https://fetch.spec.whatwg.org/#http-cors-protocol. Never allows credentials, so the page's cookie
 * cannot be used.
 */
export function shareWith(origins: AllowedOrigins): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const origin = req.header("origin");
    if (origin === undefined || !origins.has(origin)) return next();
    if (req.method === "OPTIONS" && req.header("access-control-request-method") !== undefined)
      return new Response(null, {
        status: 204,
        headers: {
          "access-control-allow-origin": origin,
          "access-control-allow-methods": methods,
          "access-control-allow-headers": requestHeaders,
          "access-control-max-age": String(preflightSeconds),
          // An internet page requests this machine: https://wicg.github.io/private-network-access/
          ...(req.header("access-control-request-private-network") === "true"
            ? { "access-control-allow-private-network": "true" }
            : {}),
          vary: "origin",
        },
      });
    await next();
    context.res.headers.set("access-control-allow-origin", origin);
    context.res.headers.set("access-control-expose-headers", answerHeaders);
    context.res.headers.append("vary", "origin");
    return undefined;
  };
}
