import type { ServiceReference } from "@incipit/kernel";
import type { PageFile, PageFiles } from "@incipit/service-contract";
import type { MiddlewareHandler } from "hono";

const pagePath = /^\/(?:docs|[\w-]+\.(?:js|css|svg|woff2))?$/;

/** No external or inline resources, and no framing: https://www.w3.org/TR/CSP3/ */
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

const known = new WeakMap<PageFile, Uint8Array<ArrayBuffer>>();

function compressed(file: PageFile): Uint8Array<ArrayBuffer> {
  const bytes = known.get(file) ?? Bun.gzipSync(file.bytes);
  known.set(file, bytes);
  return bytes;
}

export function servePage(pageFiles: ServiceReference<PageFiles>): MiddlewareHandler {
  return async ({ req }, next) => {
    const isRead = req.method === "GET" || req.method === "HEAD";
    const file = isRead && pagePath.test(req.path) ? await pageFiles.current?.find(req.path) : undefined;
    if (file === undefined) {
      await next();
      return undefined;
    }
    const { type, isImmutable } = file;
    const isCompressed = /\bgzip\b/.test(req.header("accept-encoding") ?? "");
    const bytes = isCompressed ? compressed(file) : file.bytes;
    return new Response(req.method === "HEAD" ? null : bytes, {
      headers: {
        "content-type": type,
        "content-length": String(bytes.byteLength),
        ...(isCompressed ? { "content-encoding": "gzip" } : {}),
        vary: "accept-encoding",
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
