import type { Net, WireObserver } from "@incipit/kernel";
import type { Endpoint } from "./settings.ts";
import { orderedBody, unwrappedArguments } from "./ordered-body.ts";

/** What the vendors' packages call in place of the global `fetch`. */
export type WireFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Hands a vendor package's request to the host's `net`, which records it where it leaves. */
export function createWireFetch(net: Net, kind: Endpoint["kind"], observe: WireObserver): WireFetch {
  return async (input, init = {}) => {
    if (typeof init.body !== "string") throw new TypeError("Cannot send a body that is not text");
    const body = orderedBody(kind === "deepseek" ? unwrappedArguments(init.body) : init.body);
    return net.fetch(input instanceof Request ? input.url : String(input), {
      method: init.method ?? "POST",
      headers: Object.fromEntries(new Headers(init.headers)),
      body,
      observe,
      ...(init.signal ? { signal: init.signal } : {}),
    });
  };
}
