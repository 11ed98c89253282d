import { isHostOf, parseNetEntry, type NetEntry } from "@incipit/kernel";
import { isIP } from "node:net";
import type { Endpoint } from "./endpoint.ts";
import { isLoopbackAddress, isPublicAddress } from "./network-address.ts";

export class NetGrant {
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
