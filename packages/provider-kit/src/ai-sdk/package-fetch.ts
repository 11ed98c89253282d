import { boundedBody } from "../replies/body-bounds.ts";
import { isEventStream, type WireCall } from "../requests/wire-call.ts";
import { convertEvents } from "./converted-events.ts";
import type { Vendor } from "./vendor.ts";

export type PackageFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface PackageFetchOptions {
  readonly wire: WireCall;
  readonly vendor: Pick<Vendor, "amendReply">;
  readonly write: (body: string) => string;
}

/** Sends through the host's `net`, within the limits of a reply. */
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
      isEventStream: hasEvents && response.ok, // Packages buffer the whole body of an error.
      onTooLarge: () => wire.tooLarge(),
      onBroken: (error) => wire.broken(error),
    });
    const amender = response.ok ? vendor.amendReply?.() : undefined;
    return new Response(amender === undefined ? bounded : convertEvents(bounded, amender), response);
  };
}
