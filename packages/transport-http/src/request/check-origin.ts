import type { MiddlewareHandler } from "hono";
import { errorAnswer } from "../answer/error-answer.ts";
import type { AllowedOrigins } from "./allowed-origins.ts";
import { isOwnOrigin } from "./own-origin.ts";

export interface OriginOptions {
  /** Names served in addition to loopback, on any port unless they include one. */
  readonly allowedHosts: readonly string[];
  /** Other allowed pages. */
  readonly allowedOrigins: AllowedOrigins;
  /** The open port; `undefined` before it is opened. */
  readonly port: () => number | undefined;
}

const loopbackName = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Port of a `Host` header without one. */
const defaultPort = 80;

/** Rejects a foreign `Host` (DNS rebinding) or `Origin`. */
export function checkOrigin({ allowedHosts, allowedOrigins, port }: OriginOptions): MiddlewareHandler {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const isOwn = (hostAndPort: string): boolean => {
    const name = hostAndPort.replace(/:\d*$/, "");
    if (allowed.has(name) || allowed.has(hostAndPort)) return true;
    const given = hostAndPort.slice(name.length + 1);
    return loopbackName.test(name) && Number(given === "" ? defaultPort : given) === port();
  };
  return async (context, next) => {
    const host = (context.req.header("host") ?? "").toLowerCase();
    if (!isOwn(host)) {
      const message = `This host does not serve "${host}"; add it to listen.allowed_hosts if it should`;
      return errorAnswer("FORBIDDEN_HOST", message);
    }
    const origin = context.req.header("origin")?.toLowerCase();
    // Another port of this machine is another program.
    if (origin !== undefined && !isOwnOrigin(origin, host) && !allowedOrigins.has(origin)) {
      const message = `Pages of "${origin}" may not use this host; add it to listen.allowed_origins if they should`;
      return errorAnswer("FORBIDDEN_ORIGIN", message);
    }
    await next();
    return undefined;
  };
}
