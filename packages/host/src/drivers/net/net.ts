import {
  KernelError,
  type Clock,
  type Net,
  type WireObserver,
  isHostOf,
  parseNetEntry,
  type NetEntry,
} from "@incipit/kernel";
import { BodyHashes, afterRedirect, netBody, toRecord, type NetRequest } from "./net-request.ts";
import {
  literalAddress,
  isPublicAddress,
  endpointOf,
  type Endpoint,
  isLoopbackAddress,
} from "./network-address.ts";
import { OpenFetches } from "./open-fetches.ts";
import { pinnedFetch, type Send, plainFetch, proxiedFetch } from "./plain-fetch.ts";
import { Proxies, type ConfiguredProxies, type Proxy } from "./proxies.ts";
import { lookupAll, ResolvedNames, type ResolveName } from "./resolved-names.ts";
import { errorCode } from "../../failures/error-code.ts";
import { isIP } from "node:net";

/** For name resolution and for response headers; the caller limits silence of the body. */
const answerTimeoutMs = 600_000;

export interface NetDriverOptions {
  readonly resolve?: ResolveName;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly proxies?: ConfiguredProxies;
  /** Shared by all drivers in this process. */
  readonly fetches?: OpenFetches;
}

interface Route {
  /** `undefined` for any address of the URL's host. */
  readonly addresses?: readonly string[];
  readonly proxy?: Proxy;
}

interface SendOptions {
  readonly observe?: WireObserver;
  readonly signal?: AbortSignal;
}

/**
 * Fetches from granted hosts and passes each request to `observe` before sending.
 *
 * A name is resolved first, all its addresses are checked, and the connection uses a checked address, so a later DNS
 * change has no effect. This holds with a proxy too, which resolves names itself; names of this machine or its network
 * never use a proxy.
 */
export function createNet(
  extension: string,
  grant: true | readonly string[],
  clock: Clock,
  {
    resolve = lookupAll,
    env = process.env,
    proxies: configured = {},
    fetches = new OpenFetches(env),
  }: NetDriverOptions = {},
): Net {
  const proxies = new Proxies(configured, env);
  const granted = grant === true ? undefined : new NetGrant(grant);
  const names = new ResolvedNames(resolve, clock);
  const hashes = new BodyHashes();
  const deny = (asked: string, why: string): KernelError =>
    new KernelError("CAPABILITY_DENIED", `Cannot fetch "${asked}" for "${extension}": ${why}`, { extension });

  /** Rejects on abort or timeout even if `work` ignores the signal. */
  const within = async <Result>(
    { host, port }: Endpoint,
    caller: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const late = new AbortController();
    const message = `"${host}:${port}" did not answer within ${answerTimeoutMs / 1_000} s`;
    const cancel = clock.setTimer(() => late.abort(new Error(message)), answerTimeoutMs);
    const signal = caller === undefined ? late.signal : AbortSignal.any([caller, late.signal]);
    const stopped = Promise.withResolvers<never>();
    const stop = (): void => stopped.reject(signal.reason);
    signal.addEventListener("abort", stop);
    try {
      signal.throwIfAborted();
      return await Promise.race([work(signal), stopped.promise]);
    } finally {
      signal.removeEventListener("abort", stop);
      cancel();
    }
  };

  /** @throws {KernelError} `CAPABILITY_DENIED`. */
  const judge = async (
    url: URL,
    { signal, schemes }: { readonly signal: AbortSignal | undefined; readonly schemes: readonly [string, string] },
  ): Promise<Route> => {
    // Other schemes would read files and memory of the host.
    if (!schemes.includes(url.protocol)) throw deny(url.protocol, `"net" is for ${schemes.join(" and ")} alone`);
    const endpoint = endpointOf(url);
    const asked = `${endpoint.host}:${endpoint.port}`;
    if (granted !== undefined && !granted.allowsEndpoint(endpoint)) throw deny(asked, granted.describe());
    const proxy = proxies.of(url);
    if (literalAddress(endpoint.host) !== undefined || (granted === undefined && proxy === undefined))
      return proxy === undefined ? {} : { proxy };
    const addresses = await within(endpoint, signal, () => names.resolve(endpoint.host)).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (proxy !== undefined) return []; // Only the proxy may be able to resolve the name.
      throw error;
    });
    const refused = addresses.find((address) => granted?.allowsAddress(endpoint, address) === false);
    if (refused !== undefined) {
      const remedy = `grant "private:${asked}" if that is meant`;
      throw deny(asked, `it leads to ${refused}, which is not a public address; ${granted?.describe()}; ${remedy}`);
    }
    return proxy === undefined || addresses.some((address) => !isPublicAddress(address))
      ? { addresses }
      : { proxy };
  };

  const send = async (request: NetRequest, { observe, signal }: SendOptions): Promise<Response> => {
    const { addresses, proxy } = await judge(request.url, { signal, schemes: ["http:", "https:"] });
    await observe?.(toRecord(request, { at: clock.now(), hashes }));
    signal?.throwIfAborted();
    const endpoint = endpointOf(request.url);
    return within(endpoint, signal, (stop) => {
      if (proxy !== undefined) return fetches.count(stop, () => proxiedFetch(request, { proxy, signal: stop }));
      const sendOver = async (over: Send): Promise<Response> => {
        try {
          return await (addresses === undefined
            ? over(request, stop)
            : pinnedFetch(request, { addresses, signal: stop, send: over }));
        } catch (error) {
          throw withPlace(error, endpoint);
        }
      };
      return fetches.hasRoom
        ? fetches.count(stop, () => sendOver(plainFetch))
        : import("./socket-fetch.ts").then(({ socketFetch }) => sendOver(socketFetch));
    });
  };

  return {
    async fetch(url, { observe, signal, maxRedirects = 0, method = "GET", headers, body } = {}) {
      if (!URL.canParse(url)) throw deny("an invalid URL", "write one such as https://api.acme.dev/v1");
      const options = {
        ...(observe === undefined ? {} : { observe }),
        ...(signal === undefined ? {} : { signal }),
      };
      let request: NetRequest = {
        url: new URL(url),
        method,
        headers: new Headers(headers),
        body: body === undefined ? undefined : netBody(body),
      };
      request.headers.delete("host"); // A different name could reach a virtual host without a grant.
      for (let followed = 0; ; followed += 1) {
        const response = await send(request, options);
        const next = followed < maxRedirects ? afterRedirect(request, response) : undefined;
        if (next === undefined) return named(response, { url: request.url, isRedirected: followed > 0 });
        await response.body?.cancel();
        request = next;
      }
    },
    async webSocket(url, { signal, ...options } = {}) {
      if (!URL.canParse(url)) throw deny("an invalid URL", "write one such as wss://api.acme.dev/v1");
      const target = new URL(url);
      const { addresses, proxy } = await judge(target, { signal, schemes: ["ws:", "wss:"] });
      const { openWebSocket } = await import("./open-web-socket.ts");
      // The deadline applies until the socket is open; the caller's signal stays attached.
      return within(endpointOf(target), signal, (stop) =>
        openWebSocket(target, { ...options, addresses, proxy, clock, signal: stop }),
      );
    },
  };
}

/** Sets the URL of a response, which contains the IP address in place of the host name. */
function named(
  response: Response,
  { url, isRedirected }: { readonly url: URL; readonly isRedirected: boolean },
): Response {
  return Object.defineProperties(response, {
    url: { value: withoutHash(url) },
    redirected: { value: isRedirected },
  });
}

function withoutHash(url: URL): string {
  if (url.hash === "" && !url.href.endsWith("#")) return url.href;
  const shown = new URL(url);
  shown.hash = "";
  return shown.href;
}

/** Adds the address and the reason to an error, which the runtime's message lacks. */
function withPlace(error: unknown, { host, port }: Endpoint): unknown {
  const code = errorCode(error);
  if (code !== "ECONNREFUSED") return error;
  return Object.assign(new Error(`nothing answers at "${host}:${port}" (${code})`, { cause: error }), { code });
}

class NetGrant {
  readonly #entries: readonly string[];
  readonly #endpoints: readonly NetEntry[];

  constructor(entries: readonly string[]) {
    this.#entries = entries;
    this.#endpoints = entries.flatMap((entry) => parseNetEntry(entry) ?? []);
  }

  allowsEndpoint(endpoint: Endpoint): boolean {
    return this.#of(endpoint).length > 0;
  }

  allowsAddress(endpoint: Endpoint, address: string): boolean {
    if (isPublicAddress(address) || this.#of(endpoint).some(({ isPrivate }) => isPrivate)) return true;
    if (endpoint.host === "localhost" && isLoopbackAddress(address)) return true;
    const host = isIP(address) === 6 ? `[${address.replace(/%.*$/, "")}]` : address;
    const literal = parseNetEntry(`${host}:${endpoint.port}`);
    return literal !== undefined && this.allowsEndpoint(literal);
  }

  describe(): string {
    return `granted are ${this.#entries.map((entry) => `"${entry}"`).join(", ") || "none"}`;
  }

  #of({ host, port }: Endpoint): readonly NetEntry[] {
    return this.#endpoints.filter((entry) => entry.port === port && isHostOf(host, entry.host));
  }
}
