import { isPublicAddress } from "./network-address.ts";
import { literalAddress } from "./literal-address.ts";

/** `none`; `env:NAME`, a variable that holds the URL; or the URL itself, without a name and a password. */
export type ProxyChoice = string;

/** A proxy that requests may go over. */
export interface Proxy {
  /** With the name and the password that it asks for: for the connection alone. */
  readonly url: string;
  /** As it may be shown: `http://proxy.acme.dev:3128`. */
  readonly shown: string;
  /** Who named it: `HTTPS_PROXY`, or a key of the configuration. */
  readonly from: string;
}

/** Bun speaks to no others; one of another kind, such as `socks5:`, is refused and never passed over. */
const schemes: ReadonlySet<string> = new Set(["http:", "https:"]);

/** @throws {TypeError} when it names no proxy that can be used; the value is not in the message. */
export function parseProxy(text: string, from: string): Proxy {
  // Without a scheme, as `proxy:3128` stands in many environments, it is HTTP.
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole)) throw new TypeError(`${from} is not the URL of a proxy; write http://HOST:PORT`);
  const url = new URL(whole);
  if (!schemes.has(url.protocol))
    throw new TypeError(
      `${from} names a proxy of the kind "${url.protocol.slice(0, -1)}", which the host cannot use; name an http or https one`,
    );
  return { url: url.href, shown: `${url.protocol}//${url.host}`, from };
}

/** What a proxy's URL tells that nobody else is to know. */
export function proxySecrets(text: string): readonly string[] {
  const whole = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(whole)) return [];
  const { username, password } = new URL(whole);
  const [name, secret] = [decoded(username), decoded(password)];
  if (password === "") return name === "" ? [] : [name]; // A token that stands alone.
  return [secret, `${name}:${secret}`];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // It was written as it is, with a "%" in it.
  }
}

/**
 * Whether a host as a URL writes it is this machine or its network by what it is, and not by where it leads: then no proxy is
 * ever asked for it. RFC 6761 keeps `localhost`, and what is below it, for this machine.
 */
export function isLocalHost(host: string): boolean {
  const address = literalAddress(host);
  return address === undefined ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(address);
}
