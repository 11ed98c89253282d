import type * as z from "zod";
import type { Route } from "./routes/route.ts";

/** A route with a JSON answer. */
export interface TypedRoute<Response extends z.ZodType> extends Route {
  readonly response: Response;
  readonly isStream?: never;
  readonly isLines?: never;
  readonly bodyLines?: never;
}

/** A route without required input. */
export interface RouteWithoutInput {
  readonly params?: never;
  readonly body?: never;
}

type InputOf<Target, Key extends "params" | "body"> =
  Target extends Readonly<Record<Key, z.ZodType>>
    ? Readonly<Record<Key, z.input<Target[Key]>>>
    : Readonly<Partial<Record<Key, never>>>;

/** Input required by a route. */
export type RouteInput<Target> = InputOf<Target, "params"> &
  (Target extends { readonly isBodyOptional: true } ? Partial<InputOf<Target, "body">> : InputOf<Target, "body">) &
  (Target extends { readonly query: infer Query extends z.ZodType }
    ? { readonly query?: z.input<Query> }
    : { readonly query?: never });

/** JSON answer of a route; for a stream, an event. */
export type RouteAnswer<Target extends Route> = z.output<Target["response"]>;
