import type { Clock } from "@incipit/kernel";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { errorCode, errorMessage } from "../../failures/error-code.ts";

export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Uses the operating system, including `/etc/hosts`. */
export const lookupAll: ResolveName = async (name) => {
  try {
    const found = await lookup(name, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  } catch (cause) {
    // The runtime's message omits the name.
    const code = errorCode(cause);
    const what = code === "ENOTFOUND" ? "was not found" : "could not be looked up";
    const message = `the host "${name}" ${what} (${code ?? errorMessage(cause)})`;
    throw Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });
  }
};

/** As in Bun's own `fetch`. */
const keptMs = 30_000;

export class ResolvedNames {
  readonly #resolve: ResolveName;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly addresses: Promise<readonly string[]>; readonly at: number }>();

  constructor(resolve: ResolveName, clock: Clock) {
    this.#resolve = resolve;
    this.#clock = clock;
  }

  /** Resolves a name, IPv4 first: connections over broken IPv6 hang instead of failing. */
  resolve(name: string): Promise<readonly string[]> {
    const known = this.#known.get(name);
    if (known !== undefined && this.#clock.now() - known.at < keptMs) return known.addresses;
    const addresses = this.#resolve(name).then((found) => found.toSorted((a, b) => isIP(a) - isIP(b)));
    this.#known.set(name, { addresses, at: this.#clock.now() });
    addresses.catch(() => this.#known.delete(name)); // Failures are not cached.
    return addresses;
  }
}
