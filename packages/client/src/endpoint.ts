import type { Route, RouteAnswer, RouteInput, routes } from "@incipit/transport-contract";

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
