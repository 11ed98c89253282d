import type { MiddlewareHandler } from "hono";

/**
 * Tells browsers and proxies to keep no answer, and to take none for something else than it says it is: what a browser was
 * shown while it was signed in must not be there for whoever uses it next.
 */
export function keepNothing(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
  };
}
