import type { Net, WireObserver } from "@incipit/kernel";
import type { EndpointVendor } from "./endpoint-vendor.ts";

export interface WireCallOptions {
  /** Absent: no key is sent. */
  readonly key: string | undefined;
  readonly keyHeader: EndpointVendor["keyHeader"];
  /** In the place of headers of these names; absent: none. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly net: Net;
  readonly observe: WireObserver;
}

export type WireOutcome =
  /** Nothing has left. */
  | { readonly kind: "none" }
  /** The record was refused, or the endpoint was not reached; `error` as it was thrown: packages wrap it each in its own way. */
  | { readonly kind: "no-answer"; readonly stage: "record" | "connection"; readonly error: unknown }
  /** `isBroken`: the answer did not come to its end. `isUnreadable`: since it cannot be decompressed. */
  | {
      readonly kind: "answered";
      readonly contentType: string | undefined;
      readonly isBroken: boolean;
      readonly isUnreadable?: boolean;
    }
  /** It was broken off: an event of it was longer than anybody's reply. */
  | { readonly kind: "too-large" };

export interface WireInit {
  /** Absent: `POST`. */
  readonly method?: string;
  /** Whatever it has in the place of the key is not sent. */
  readonly headers: Headers;
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** Codes of Bun's `fetch`. */
const decompressionErrors = new Set(["ZlibError", "BrotliDecompressionError", "ZstdDecompressionError"]);

/** Anthropic's, of features that a request uses: what the host asks for stays. */
const isList = /^anthropic-beta$/i;

/** One request of a provider, handed to the host's `net`, which records it where it leaves; and how far it came. */
export class WireCall {
  readonly #options: WireCallOptions;
  #outcome: WireOutcome = { kind: "none" };

  constructor(options: WireCallOptions) {
    this.#options = options;
  }

  get outcome(): WireOutcome {
    return this.#outcome;
  }

  /** @throws what `net` or the observer throws; `outcome` has it as well. */
  async send(url: string, { method = "POST", headers, body, signal }: WireInit): Promise<Response> {
    const { key, keyHeader, headers: extra = {}, net, observe } = this.#options;
    if (key === undefined) headers.delete(keyHeader.name);
    else headers.set(keyHeader.name, `${keyHeader.prefix ?? ""}${key}`);
    for (const [name, value] of Object.entries(extra)) {
      const before = headers.get(name);
      headers.set(name, before !== null && isList.test(name) ? `${before},${value}` : value);
    }
    let stage: "record" | "connection" = "connection";
    try {
      const response = await net.fetch(url, {
        method,
        headers: Object.fromEntries(headers),
        body,
        observe: async (wire) => {
          stage = "record";
          await observe(wire);
          stage = "connection";
        },
        ...(signal === undefined ? {} : { signal }),
      });
      const contentType = response.headers.get("content-type") ?? undefined;
      this.#outcome = { kind: "answered", contentType, isBroken: false };
      return response;
    } catch (error) {
      this.#outcome = { kind: "no-answer", stage, error };
      throw error;
    }
  }

  /** Whoever reads the answer gave it up. */
  tooLarge(): void {
    this.#outcome = { kind: "too-large" };
  }

  /** Whoever reads the answer did not come to its end: `error` is what was thrown. */
  broken(error: unknown): void {
    const isUnreadable = error instanceof Error && "code" in error && decompressionErrors.has(String(error.code));
    if (this.#outcome.kind === "answered") this.#outcome = { ...this.#outcome, isBroken: true, isUnreadable };
  }
}

/** Whether an answer says that it is made of events. */
export function isEventStream(outcome: WireOutcome): boolean {
  return outcome.kind === "answered" && outcome.contentType?.toLowerCase().startsWith("text/event-stream") === true;
}
