import type { MiddlewareHandler } from "hono";

/** The next user of a browser must not see answers from before a sign-out. */
export function noStore(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
  };
}
