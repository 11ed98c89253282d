import type { ServiceReference } from "@incipit/kernel";
import type { PageFiles } from "@incipit/service-contract";
import type { MiddlewareHandler } from "hono";

/** The page itself, and files beside it. */
const pagePath = /^\/(?:[\w-]+\.(?:js|css|svg|woff2))?$/;

/**
 * Nothing from elsewhere, nothing that stands in the page itself, and no page of others around it:
 * https://www.w3.org/TR/CSP3/
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the page's files, to everybody: what they show, they ask for. */
export function servePage(pageFiles: ServiceReference<PageFiles>): MiddlewareHandler {
  return async ({ req }, next) => {
    const isRead = req.method === "GET" || req.method === "HEAD";
    const file = isRead && pagePath.test(req.path) ? await pageFiles.current?.find(req.path) : undefined;
    if (file === undefined) {
      await next();
      return undefined;
    }
    const { bytes, type, isImmutable } = file;
    return new Response(req.method === "HEAD" ? null : bytes, {
      headers: {
        "content-type": type,
        "content-length": String(bytes.byteLength),
        "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
        "content-security-policy": contentSecurityPolicy,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      },
    });
  };
}
