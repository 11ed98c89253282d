import type { MiddlewareHandler } from "hono";
import { createHash, timingSafeEqual } from "node:crypto";
import { errorAnswer } from "./error-answer.ts";

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Refuses a `Host` that is not the host's own (DNS rebinding), and an `Origin` that is not either. */
export function checkOrigin(allowedHosts: readonly string[]): MiddlewareHandler {
  const names = new Set([...loopbackNames, ...allowedHosts.map((host) => host.toLowerCase())]);
  const isKnown = (hostAndPort: string): boolean => {
    const name = hostAndPort.toLowerCase().replace(/:\d+$/, "");
    return names.has(name) || names.has(hostAndPort.toLowerCase());
  };
  return async (context, next) => {
    const host = context.req.header("host") ?? "";
    if (!isKnown(host))
      return errorAnswer(
        "FORBIDDEN_HOST",
        `This host does not serve "${host}"; add it to listen.allowed_hosts if it should`,
      );
    const origin = context.req.header("origin");
    // Own origin only: another port of this machine is another program.
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      return errorAnswer("FORBIDDEN_ORIGIN", `Pages of "${origin}" may not use this host`);
    }
    await next();
    return undefined;
  };
}

/** Takes `Authorization: Bearer TOKEN` and nothing else. */
export function checkToken(token: string, isOpen: (path: string) => boolean): MiddlewareHandler {
  const expected = digest(token);
  return async (context, next) => {
    if (!isOpen(context.req.path)) {
      const [scheme, given = ""] = (context.req.header("authorization") ?? "").split(" ");
      const isRight = scheme?.toLowerCase() === "bearer" && timingSafeEqual(digest(given), expected);
      if (!isRight) {
        const answer = errorAnswer(
          "UNAUTHORIZED",
          'Send "Authorization: Bearer TOKEN"; the command "incipit token" prints the token',
        );
        answer.headers.set("www-authenticate", "Bearer");
        return answer;
      }
    }
    await next();
    return undefined;
  };
}

/** Of one length, so that the comparison takes one time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
