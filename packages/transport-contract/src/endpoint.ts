import type { TurnBody, TurnEvent } from "@incipit/schema";
import type { CallOptions } from "./http/requests.ts";
import type { routes } from "./routes.ts";
import type { Route } from "./routes/route.ts";
import type { RouteAnswer, RouteInput } from "./typed-route.ts";

type Table = typeof routes;

/** Types only; no table of routes is loaded. */
type ByEndpoint = {
  readonly [Name in keyof Table as `${Table[Name]["method"]} ${Table[Name]["path"]}`]: Table[Name];
};

type Special = { readonly isStream: true } | { readonly isLines: true } | { readonly bodyLines: unknown };

/** A route by its method and path, such as `POST /conversations`. */
export type Endpoint = {
  readonly [Key in keyof ByEndpoint]: ByEndpoint[Key] extends Special ? never : Key;
}[keyof ByEndpoint];

export type EndpointInput<Key extends Endpoint> = RouteInput<ByEndpoint[Key]>;

/** Answer of a route. */
export type EndpointAnswer<Key extends Endpoint> = ByEndpoint[Key] extends infer Target extends Route
  ? RouteAnswer<Target>
  : never;

/** Mapped, because comparing the union of all inputs is too complex for the compiler. */
type OptionsByEndpoint = {
  readonly [Key in Endpoint]: Partial<EndpointInput<Key>> extends EndpointInput<Key>
    ? [options?: CallOptions & EndpointInput<Key>]
    : [options: CallOptions & EndpointInput<Key>];
};

/** Optional if the route requires no arguments. */
export type EndpointOptions<Key extends Endpoint> = OptionsByEndpoint[Key];

/** Calls of a host by method and path, so that a caller in a browser loads no schemas. */
export interface EndpointClient {
  /** Calls a JSON route, such as `call("GET /health")`. */
  call<Key extends Endpoint>(endpoint: Key, ...options: EndpointOptions<Key>): Promise<EndpointAnswer<Key>>;
  /**
   * Sends a message and yields the events of its turn, ending with `turn-end`. Leaving early does not stop the
   * turn. A message with an `idempotencyKey` can be sent again safely, which returns the same turn.
   */
  sendTurn(
    id: string,
    request: TurnBody,
    options?: { readonly idempotencyKey?: string; readonly signal?: AbortSignal },
  ): AsyncIterable<TurnEvent>;
  /**
   * Yields events after a number, then live ones. Defaults to new events only. Ends when the host closes the
   * stream.
   */
  followEvents(
    id: string,
    options?: { readonly afterSeq?: number; readonly signal?: AbortSignal },
  ): AsyncIterable<TurnEvent>;
}
