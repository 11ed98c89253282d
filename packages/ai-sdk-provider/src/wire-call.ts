import type { Net, WireObserver } from "@incipit/kernel";
import { amendedEvents } from "./amended-events.ts";
import { boundedBody } from "./bounded-body.ts";
import type { Vendor } from "./vendor.ts";

export interface WireCallOptions {
  /** Absent: no key is sent. */
  readonly key: string | undefined;
  readonly vendor: Pick<Vendor, "keyHeader" | "amendEvent">;
  readonly net: Net;
  readonly observe: WireObserver;
  /** The body that is sent in place of the package's own. */
  readonly write: (body: string) => string;
}

export type WireOutcome =
  /** Nothing has left. */
  | { readonly kind: "none" }
  /** The record was refused, or the endpoint was not reached; `error` as it was thrown: the packages wrap it each in its own way. */
  | { readonly kind: "no-answer"; readonly stage: "record" | "connection"; readonly error: unknown }
  /** `isBroken`: the connection did not bring the answer to its end. */
  | { readonly kind: "answered"; readonly contentType: string | undefined; readonly isBroken: boolean }
  /** It was broken off: an event of it was longer than anybody's reply. */
  | { readonly kind: "too-large" };

/** One request of a vendor's package, handed to the host's `net`, which records it where it leaves. */
export class WireCall {
  readonly #options: WireCallOptions;
  #outcome: WireOutcome = { kind: "none" };

  constructor(options: WireCallOptions) {
    this.#options = options;
  }

  get outcome(): WireOutcome {
    return this.#outcome;
  }

  /** What the packages call in place of the global `fetch`. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { key, vendor, net, observe, write } = this.#options;
    const { keyHeader, amendEvent } = vendor;
    if (typeof init.body !== "string") throw new TypeError("Cannot send a body that is not text");
    const body = write(init.body);
    const headers = new Headers(init.headers);
    if (key === undefined) headers.delete(keyHeader.name);
    else headers.set(keyHeader.name, `${keyHeader.prefix ?? ""}${key}`);
    let stage: "record" | "connection" = "connection";
    try {
      const response = await net.fetch(input instanceof Request ? input.url : String(input), {
        method: init.method ?? "POST",
        headers: Object.fromEntries(headers),
        body,
        observe: async (wire) => {
          stage = "record";
          await observe(wire);
          stage = "connection";
        },
        ...(init.signal ? { signal: init.signal } : {}),
      });
      const contentType = response.headers.get("content-type") ?? undefined;
      this.#outcome = { kind: "answered", contentType, isBroken: false };
      if (response.body === null) return response;
      const isEventStream = contentType?.startsWith("text/event-stream") === true;
      const bounded = boundedBody(response.body, {
        isEventStream: isEventStream && response.ok, // Of a refusal the packages read all, whatever it is.
        onTooLarge: () => (this.#outcome = { kind: "too-large" }),
        onBroken: () => (this.#outcome = { kind: "answered", contentType, isBroken: true }),
      });
      const isAmended = isEventStream && amendEvent !== undefined;
      return new Response(isAmended ? bounded.pipeThrough(amendedEvents(amendEvent)) : bounded, response);
    } catch (error) {
      this.#outcome = { kind: "no-answer", stage, error };
      throw error;
    }
  };
}
