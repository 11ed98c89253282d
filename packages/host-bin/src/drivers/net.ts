import { KernelError, type Clock, type Net, type WireRequest } from "@incipit/kernel";
import { createHash } from "node:crypto";

/** Until the head of an answer; how long its body may be silent is for the caller to say. */
const answerTimeoutMs = 600_000;
const credentialHeader = /^(.*-)?(authorization|cookie|(api)?key|token|secret|password|signature)$/;
const credentialQuery = /^(.*[-_])?(api[-_]?key|key|token|secret|password|signature|sig|code|credential)$/i;

/** Fetches from hosts that were granted, and tells `observe` of the very request that it is about to write. */
export function createNet(extension: string, grant: true | readonly string[], clock: Clock): Net {
  const granted = grant === true ? undefined : new Set(grant.map((entry) => entry.toLowerCase()));
  const deny = (asked: string, why: string): KernelError =>
    new KernelError("CAPABILITY_DENIED", `Cannot fetch "${asked}" for "${extension}": ${why}`, { extension });

  return {
    async fetch(url, { observe, signal, ...options } = {}) {
      if (!URL.canParse(url)) throw deny("an invalid URL", "write one such as https://api.acme.dev/v1");
      const target = new URL(url);
      // Other schemes would read files and memory of the host.
      if (target.protocol !== "http:" && target.protocol !== "https:")
        throw deny(target.protocol, '"net" is for http: and https: alone');
      const hostAndPort = `${target.hostname}:${target.port === "" ? (target.protocol === "https:" ? 443 : 80) : target.port}`;
      if (granted !== undefined && !granted.has(hostAndPort)) {
        const names = [...granted].map((entry) => `"${entry}"`).join(", ") || "none";
        throw deny(hostAndPort, `granted are ${names}`);
      }
      const method = options.method ?? "GET";
      const headers = new Headers(options.headers);
      const body = options.body === undefined ? undefined : new TextEncoder().encode(options.body);
      await observe?.(toRecord(target, { method, headers, body, at: clock.now() }));
      signal?.throwIfAborted();
      const late = new AbortController();
      const cancel = clock.setTimer(
        () => late.abort(new Error(`"${hostAndPort}" did not answer within ${answerTimeoutMs / 1_000} s`)),
        answerTimeoutMs,
      );
      try {
        return await fetch(target, {
          method,
          headers,
          redirect: "manual",
          signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
          ...(body === undefined ? {} : { body }),
        });
      } finally {
        cancel();
      }
    },
  };
}

interface Outgoing {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly at: number;
}

function toRecord(target: URL, { method, headers, body = new Uint8Array(), at }: Outgoing): WireRequest {
  const url = new URL(target);
  url.username = "";
  url.password = "";
  for (const name of new Set(url.searchParams.keys()))
    if (credentialQuery.test(name)) url.searchParams.set(name, "REDACTED");
  const shown = [...headers].filter(([name]) => !credentialHeader.test(name));
  return {
    method,
    url: url.toString(),
    headers: Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    body: new TextDecoder("utf-8", { ignoreBOM: true }).decode(body),
    sha256: createHash("sha256").update(body).digest("hex"),
    at,
  };
}
