import type { TypedRoute } from "@incipit/transport-contract";
import type * as z from "zod";

/** What a service may hold on to, and nobody here may change. */
type DeepReadonly<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
      : Value;

/** The answer of a route, in the shape that the contract gives it: a handler that answers another one does not compile. */
export function answer<Shape extends z.ZodType>(
  route: Pick<TypedRoute<Shape>, "response" | "status">,
  value: DeepReadonly<z.output<Shape>>,
): Response {
  return Response.json(value, { status: route.status });
}
