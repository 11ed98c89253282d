import { BlockList, isIP } from "node:net";
import { literalAddress } from "./literal-address.ts";
import type { Endpoint } from "./endpoint.ts";

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
