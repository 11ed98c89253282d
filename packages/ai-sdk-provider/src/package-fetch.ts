import { boundedBody, isEventStream, type WireCall } from "@incipit/model-endpoint";
import { amendedEvents } from "./amended-events.ts";
import type { Vendor } from "./vendor.ts";

/** What packages call in place of the global `fetch`. */
export type PackageFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface PackageFetchOptions {
  readonly wire: WireCall;
  readonly vendor: Pick<Vendor, "amendReply">;
  /** The body that is sent in place of the package's own. */
  readonly write: (body: string) => string;
}

/** The way of a package's request: the host's `net`, within the bounds of a reply. */
export function packageFetch({ wire, vendor, write }: PackageFetchOptions): PackageFetch {
  return async (input, { method, headers, body, signal } = {}) => {
    if (typeof body !== "string") throw new TypeError("Cannot send a body that is not text");
    const response = await wire.send(input instanceof Request ? input.url : String(input), {
      ...(method === undefined ? {} : { method }),
      headers: new Headers(headers),
      body: write(body),
      ...(signal ? { signal } : {}),
    });
    if (response.body === null) return response;
    const hasEvents = isEventStream(wire.outcome);
    const bounded = boundedBody(response.body, {
      isEventStream: hasEvents && response.ok, // Of a refusal the packages read all, whatever it is.
      onTooLarge: () => wire.tooLarge(),
      onBroken: (error) => wire.broken(error),
    });
    const amender = response.ok ? vendor.amendReply?.() : undefined;
    return new Response(amender === undefined ? bounded : amendedEvents(bounded, amender), response);
  };
}
