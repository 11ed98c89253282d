import type { MiddlewareHandler } from "hono";

/**
 * Disables caching and content sniffing, so that the next user of a browser cannot see answers from before a
 * sign-out.
 */
export function noStore(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
  };
}
