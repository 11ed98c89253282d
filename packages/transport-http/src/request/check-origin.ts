import type { MiddlewareHandler } from "hono";
import { errorAnswer } from "../answer/error-answer.ts";
import type { AllowedOrigins } from "./allowed-origins.ts";
import { isOwnOrigin } from "./own-origin.ts";

export interface OriginOptions {
  /** In addition to loopback; on any port unless they include one. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: AllowedOrigins;
  readonly port: () => number | undefined;
}

const loopbackName = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

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
