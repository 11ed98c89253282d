import { KernelError, type Clock, type Net, type WireRequest } from "@incipit/kernel";
import { createHash } from "node:crypto";

/** Until the first byte of an answer. */
const answerTimeoutMs = 600_000;
const credentialHeaders: ReadonlySet<string> = new Set([
  "api-key",
  "authorization",
  "cookie",
  "ocp-apim-subscription-key",
  "openai-organization",
  "proxy-authorization",
  "set-cookie",
  "x-api-key",
  "x-goog-api-key",
]);
const credentialQuery = /^(.*[-_])?(api[-_]?key|key|token|secret|password|signature|sig)$/i;

/** Fetches from hosts that were granted, and tells `observe` of the very request that it is about to write. */
export function createNet(extension: string, grant: true | readonly string[], clock: Clock): Net {
  return {
    async fetch(url, { observe, signal, ...options } = {}) {
      const target = new URL(url);
      const hostAndPort = `${target.hostname}:${target.port === "" ? (target.protocol === "https:" ? 443 : 80) : target.port}`;
      if (grant !== true && !grant.includes(hostAndPort)) {
        const granted = grant.map((entry) => `"${entry}"`).join(", ") || "none";
        throw new KernelError(
          "CAPABILITY_DENIED",
          `Cannot fetch "${hostAndPort}" for "${extension}": granted are ${granted}`,
          { extension },
        );
      }
      const method = options.method ?? "GET";
      const headers = { ...options.headers };
      await observe?.(toRecord(target, { method, headers, body: options.body ?? "", at: clock.now() }));
      const late = new AbortController();
      const cancel = clock.setTimer(
        () => late.abort(new Error(`"${hostAndPort}" did not answer within ${answerTimeoutMs / 1_000} s`)),
        answerTimeoutMs,
      );
      try {
        return await fetch(url, {
          method,
          headers,
          redirect: "manual",
          signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
          ...(options.body === undefined ? {} : { body: options.body }),
        });
      } finally {
        cancel();
      }
    },
  };
}

function toRecord(
  target: URL,
  request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly at: number;
  },
): WireRequest {
  const url = new URL(target);
  url.username = "";
  url.password = "";
  for (const name of new Set(url.searchParams.keys()))
    if (credentialQuery.test(name)) url.searchParams.set(name, "REDACTED");
  const headers = Object.entries(request.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !credentialHeaders.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    method: request.method,
    url: url.toString(),
    headers: Object.fromEntries(headers),
    body: request.body,
    sha256: createHash("sha256").update(request.body).digest("hex"),
    at: request.at,
  };
}
