import { isHostOf } from "@incipit/kernel";
import { endpointOf, isEncrypted, type Endpoint, isPublicAddress, literalAddress } from "./network-address.ts";
import { BlockList, isIP } from "node:net";

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

/** `none`, `env:NAME` for a variable that holds the URL, or the URL itself without credentials. */
type ProxyChoice = string;

export interface Proxy {
  /** Includes credentials; for the connection only. */
  readonly url: string;
  /** Without credentials: `http://proxy.acme.dev:3128`. */
  readonly shown: string;
  /** `HTTPS_PROXY`, or a configuration key. */
  readonly from: string;
}

/** Supported by Bun; others, such as `socks5:`, are rejected and never bypassed. */
const schemes: ReadonlySet<string> = new Set(["http:", "https:"]);

/** @throws {TypeError} for an unusable proxy; the message does not contain the value. */
export function parseProxy(text: string, from: string): Proxy {
  // Many environments have `proxy:3128` without a scheme, which means HTTP.
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole)) throw new TypeError(`${from} is not the URL of a proxy; write http://HOST:PORT`);
  const url = new URL(whole);
  if (!schemes.has(url.protocol))
    throw new TypeError(
      `${from} names a proxy of the kind "${url.protocol.slice(0, -1)}", which the host cannot use; name an http or https one`,
    );
  return { url: url.href, shown: `${url.protocol}//${url.host}`, from };
}

export function proxySecrets(text: string): readonly string[] {
  const whole = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(whole)) return [];
  const { username, password } = new URL(whole);
  const [name, secret] = [decoded(username), decoded(password)];
  if (password === "") return name === "" ? [] : [name]; // A token without a password.
  return [secret, `${name}:${secret}`];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns whether a name is `localhost` or below it, which RFC 6761 reserves for this machine. */
export function isLocalHost(host: string): boolean {
  const address = literalAddress(host);
  return address === undefined ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(address);
}

/** Without a port, for all ports. */
interface Exception {
  readonly host: string;
  readonly port: number | undefined;
}

/**
 * As in curl, Go, Python and git: names with their subdomains (`acme.dev`, `.acme.dev`, `*.acme.dev`), addresses,
 * networks (`10.0.0.0/8`, `fd00::/8`), both with a port (`acme.dev:8443`, `[fd00::1]:80`), and `*` for all; separated
 * by commas or spaces. Invalid entries are ignored.
 */
export class NoProxy {
  readonly #isAll: boolean;
  readonly #exceptions: readonly Exception[];
  readonly #networks = new BlockList();

  constructor(entries: readonly string[]) {
    const named = entries.flatMap((entry) => entry.split(/[\s,]+/)).filter((entry) => entry !== "");
    this.#isAll = named.includes("*");
    this.#exceptions = named.flatMap((entry) => this.#addNetwork(entry) ?? exception(entry));
  }

  matches({ host, port }: Endpoint): boolean {
    if (this.#isAll) return true;
    const address = literalAddress(host);
    if (address !== undefined && this.#networks.check(address, familyOf(address))) return true;
    const name = withoutDot(host);
    return this.#exceptions.some(
      (known) =>
        (known.port === undefined || known.port === port) &&
        (name === known.host || (address === undefined && name.endsWith(`.${known.host}`))),
    );
  }

  #addNetwork(entry: string): readonly never[] | undefined {
    const [, address = "", bits = ""] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
    const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (Number(bits) > longest) return undefined;
    this.#networks.addSubnet(address, Number(bits), familyOf(address));
    return [];
  }
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

function exception(entry: string): readonly Exception[] {
  const bare = isIP(entry) === 6 ? `[${entry}]` : entry.replace(/^\*?\./, "");
  // In URL form: lower case, normalized address.
  if (/[/?#@\\]/.test(bare) || !URL.canParse(`http://${bare}/`)) return [];
  const { hostname, port } = new URL(`http://${bare}/`);
  const named = /:(\d+)$/.exec(bare)?.[1];
  // A URL omits its default port.
  return [
    { host: withoutDot(hostname), port: port === "" && named === undefined ? undefined : Number(port || named) },
  ];
}

function withoutDot(host: string): string {
  return host.replace(/\.$/, "");
}
