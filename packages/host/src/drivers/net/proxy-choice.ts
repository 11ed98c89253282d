import { isPublicAddress } from "./network-address.ts";
import { literalAddress } from "./literal-address.ts";

/** `none`, `env:NAME` for a variable that holds the URL, or the URL itself without credentials. */
export type ProxyChoice = string;

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

/** RFC 6761 reserves `localhost` and its subdomains for this machine. */
export function isLocalHost(host: string): boolean {
  const address = literalAddress(host);
  return address === undefined ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(address);
}
