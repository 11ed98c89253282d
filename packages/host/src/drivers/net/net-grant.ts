import { parseNetEntry } from "@incipit/kernel";
import { isIP } from "node:net";
import type { Endpoint } from "./endpoint.ts";
import { isLoopbackAddress, isPublicAddress } from "./network-address.ts";

/** A `net` grant that is a list. */
export class NetGrant {
  readonly #entries: readonly string[];
  /** `host:port` -> whether private addresses are granted too. */
  readonly #endpoints = new Map<string, boolean>();

  constructor(entries: readonly string[]) {
    this.#entries = entries;
    for (const entry of entries) {
      const parsed = parseNetEntry(entry);
      if (parsed === undefined) continue;
      const key = keyOf(parsed);
      this.#endpoints.set(key, parsed.isPrivate || this.#endpoints.get(key) === true);
    }
  }

  allowsEndpoint(endpoint: Endpoint): boolean {
    return this.#endpoints.has(keyOf(endpoint));
  }

  /** Whether a granted name may lead to this address. */
  allowsAddress(endpoint: Endpoint, address: string): boolean {
    if (isPublicAddress(address) || this.#endpoints.get(keyOf(endpoint)) === true) return true;
    if (endpoint.host === "localhost" && isLoopbackAddress(address)) return true;
    const host = isIP(address) === 6 ? `[${address.replace(/%.*$/, "")}]` : address;
    const literal = parseNetEntry(`${host}:${endpoint.port}`);
    return literal !== undefined && this.allowsEndpoint(literal);
  }

  /** For a refusal: `granted are "a.dev:443"`. */
  describe(): string {
    return `granted are ${this.#entries.map((entry) => `"${entry}"`).join(", ") || "none"}`;
  }
}

function keyOf({ host, port }: Endpoint): string {
  return `${host}:${port}`;
}
