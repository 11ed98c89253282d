import type { Net, WireObserver } from "@incipit/kernel";
import type { EndpointVendor } from "../vendor/endpoint-vendor.ts";

export interface WireCallOptions {
  readonly key: string | undefined;
  readonly keyHeader: EndpointVendor["keyHeader"];
  /** Replace headers of the same names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly net: Net;
  readonly observe: WireObserver;
}

export type WireOutcome =
  | { readonly kind: "none" }
  /** The record was rejected or the endpoint not reached. Packages wrap the original `error`. */
  | { readonly kind: "no-answer"; readonly stage: "record" | "connection"; readonly error: unknown }
  /** `isBroken`: the answer is incomplete. `isUnreadable`: because decompression failed. */
  | {
      readonly kind: "answered";
      readonly contentType: string | undefined;
      readonly isBroken: boolean;
      readonly isUnreadable?: boolean;
    }
  | { readonly kind: "too-large" };

export interface WireInit {
  readonly method?: string;
  /** A package's placeholder for the key is removed. */
  readonly headers: Headers;
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** Error codes of Bun's `fetch` for an answer that cannot be decompressed. */
const decompressionErrors = new Set(["ZlibError", "BrotliDecompressionError", "ZstdDecompressionError"]);

/** Values are added to Anthropic's list of used features. */
const isList = /^anthropic-beta$/i;

/** Sends one request through the host's `net`, which records it. */
export class WireCall {
  readonly #options: WireCallOptions;
  #outcome: WireOutcome = { kind: "none" };

  constructor(options: WireCallOptions) {
    this.#options = options;
  }

  /** For texts of a vendor, which may repeat the key. */
  readonly hideKey = (text: string): string => {
    const { key } = this.#options;
    return key === undefined ? text : text.replaceAll(key, "[key]");
  };

  get outcome(): WireOutcome {
    return this.#outcome;
  }

  /** @throws the error of `net` or the observer, which is also in `outcome`. */
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

  /** The reader aborted the answer at a limit. */
  tooLarge(): void {
    this.#outcome = { kind: "too-large" };
  }

  broken(error: unknown): void {
    const isUnreadable = error instanceof Error && "code" in error && decompressionErrors.has(String(error.code));
    if (this.#outcome.kind === "answered") this.#outcome = { ...this.#outcome, isBroken: true, isUnreadable };
  }
}

export function isEventStream(outcome: WireOutcome): boolean {
  return outcome.kind === "answered" && outcome.contentType?.toLowerCase().startsWith("text/event-stream") === true;
}
