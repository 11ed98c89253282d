import { isHostOf, KernelError, OpenSocket, type Clock, type Net, type WireRequest } from "@incipit/kernel";
import { createHash } from "node:crypto";
import { RecordingModelServer } from "../model-server/recording-model-server.ts";

/** An unanswered call ends when the caller's signal aborts. */
export type TestFetch = (url: string, init: RequestInit) => Response | Promise<Response>;

export interface TestNetOptions {
  readonly grant: true | readonly string[];
  /** Absent: no answer. */
  readonly target: RecordingModelServer | TestFetch | undefined;
  readonly clock: Clock;
}

const credentialHeader = /authorization|cookie|key|token|secret/;

/**
 * Without name resolution: `target` answers for every granted host. Redirects are not followed; sockets are only opened
 * to the test's server on this machine.
 */
export function createTestNet(extension: string, { grant, target, clock }: TestNetOptions): Net {
  const judge = (url: string, schemes: readonly string[]): void => {
    const endpoint = endpointOf(url, schemes);
    if (endpoint !== undefined && isGranted(endpoint, grant)) return;
    const granted =
      grant === true ? `all of ${schemes.join(" and ")}` : grant.map((entry) => `"${entry}"`).join(", ");
    const message = `Cannot fetch "${endpoint ?? url}" for "${extension}": granted are ${granted || "none"}`;
    throw new KernelError("CAPABILITY_DENIED", message, { extension });
  };
  return {
    async webSocket(url, options = {}) {
      judge(url, ["ws:", "wss:"]);
      options.signal?.throwIfAborted();
      if (new URL(url).hostname !== "127.0.0.1") throw new TypeError(`Nobody answers "${url}" in this test`);
      return OpenSocket.opened(new WebSocket(url), { ...options, clock });
    },
    async fetch(url, { observe, signal, method = "GET", headers = {}, body } = {}) {
      judge(url, ["http:", "https:"]);
      await observe?.(toRecord({ method, url, headers, at: clock.now() }, body ?? ""));
      signal?.throwIfAborted();
      if (target === undefined)
        throw new TypeError(`Nobody answers "${url}" in this test: give startExtension a "net"`);
      const init: RequestInit = {
        method,
        headers,
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      };
      const answer = (): Response | Promise<Response> =>
        target instanceof RecordingModelServer ? fetch(pathAt(target, url), init) : target(url, init);
      return unlessAborted(answer, signal);
    },
  };
}

/** `undefined` for URLs that no `net` fetches. */
function endpointOf(url: string, schemes: readonly string[]): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  if (!schemes.includes(protocol)) return undefined;
  return `${hostname}:${port === "" ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : port}`;
}

function isGranted(endpoint: string, grant: true | readonly string[]): boolean {
  return grant === true || grant.some((entry) => isHostOf(endpoint, entry.toLowerCase().replace(/^private:/, "")));
}

function pathAt(server: RecordingModelServer, url: string): string {
  const { pathname, search } = new URL(url);
  return new URL(`${pathname}${search}`, server.url).toString();
}

function toRecord(
  { method, url, headers, at }: Omit<WireRequest, "body" | "sha256">,
  body: string | Uint8Array,
): WireRequest {
  const shown = [...new Headers(headers)].map(
    ([name, value]) => [name, credentialHeader.test(name) ? "[redacted:credential]" : value] as const,
  );
  return {
    method,
    url,
    headers: Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    body: typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body),
    sha256: createHash("sha256").update(body).digest("hex"),
    at,
  };
}

async function unlessAborted(
  answer: () => Response | Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([answer(), aborted.promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
