import type { Route, RouteAnswer, RouteInput, routes } from "@incipit/transport-contract";

type Table = typeof routes;

/** The routes by method and path, as the API's pages write them. Types alone: no table of routes is loaded. */
type ByEndpoint = {
  readonly [Name in keyof Table as `${Table[Name]["method"]} ${Table[Name]["path"]}`]: Table[Name];
};

/** What is called otherwise than with JSON for JSON. */
type Special = { readonly isStream: true } | { readonly isLines: true } | { readonly bodyLines: unknown };

/** A route by its method and path, such as `POST /conversations`. */
export type Endpoint = {
  readonly [Key in keyof ByEndpoint]: ByEndpoint[Key] extends Special ? never : Key;
}[keyof ByEndpoint];

/** What a call of a route takes: values of `:name` in its path, query and body. */
export type EndpointInput<Key extends Endpoint> = RouteInput<ByEndpoint[Key]>;

/** What a route answers. */
export type EndpointAnswer<Key extends Endpoint> = ByEndpoint[Key] extends infer Target extends Route
  ? RouteAnswer<Target>
  : never;
