import { isHostOf } from "@incipit/kernel";
import { endpointOf, isEncrypted, type Endpoint } from "./endpoint.ts";
import { NoProxy } from "./no-proxy.ts";
import { isLocalHost, parseProxy, type Proxy, type ProxyChoice } from "./proxy-choice.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfiguredProxies {
  readonly everywhere?: ProxyChoice;
  readonly exceptions?: readonly string[];
  /** By `host:port`, or for a domain by `*.host:port`. */
  readonly endpoints?: ReadonlyMap<string, ProxyChoice>;
}

/**
 * An endpoint's own setting takes precedence over `[network]`, and that over the environment, which `fetch` is never
 * left to read.
 */
export class Proxies {
  readonly #configured: ConfiguredProxies;
  readonly #env: Environment;
  readonly #exceptions: NoProxy;

  constructor(configured: ConfiguredProxies, env: Environment) {
    this.#configured = configured;
    this.#env = env;
    this.#exceptions = new NoProxy(configured.exceptions ?? [variable(env, "NO_PROXY")?.value ?? ""]);
  }

  /**
   * `undefined` for a direct connection.
   * @throws {TypeError} if the chosen proxy is unusable, which is never bypassed.
   */
  of(url: URL): Proxy | undefined {
    const endpoint = endpointOf(url);
    const { host, port } = endpoint;
    if (isLocalHost(host)) return undefined;
    const own = this.#own(endpoint);
    if (own !== undefined) return this.#chosen(own, `the proxy of "${host}:${port}"`);
    if (this.#exceptions.matches(endpoint)) return undefined;
    const { everywhere } = this.#configured;
    if (everywhere !== undefined) return this.#chosen(everywhere, "[network] proxy");
    const named =
      variable(this.#env, isEncrypted(url) ? "HTTPS_PROXY" : "HTTP_PROXY") ?? variable(this.#env, "ALL_PROXY");
    return named === undefined ? undefined : parseProxy(named.value, named.name);
  }

  #own({ host, port }: Endpoint): ProxyChoice | undefined {
    const { endpoints = new Map<string, ProxyChoice>() } = this.#configured;
    const whole = `${host}:${port}`;
    const wider = [...endpoints].find(([endpoint]) => isHostOf(whole, endpoint));
    return endpoints.get(whole) ?? wider?.[1];
  }

  #chosen(choice: ProxyChoice, key: string): Proxy | undefined {
    if (choice === "none") return undefined;
    if (!choice.startsWith("env:")) return parseProxy(choice, key);
    const name = choice.slice("env:".length);
    const value = this.#env[name] ?? "";
    if (value === "")
      throw new TypeError(`Cannot send anything: ${key} is in the variable "${name}", which is not set`);
    return parseProxy(value, name);
  }
}

/** Lower case is read first, as in curl and most other programs; empty variables are ignored. */
function variable(env: Environment, name: string): { readonly name: string; readonly value: string } | undefined {
  for (const candidate of [name.toLowerCase(), name]) {
    const value = env[candidate]?.trim() ?? "";
    if (value !== "") return { name: candidate, value };
  }
  return undefined;
}
