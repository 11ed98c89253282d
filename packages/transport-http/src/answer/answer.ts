import type { TypedRoute } from "@incipit/transport-contract";
import type * as z from "zod";

/** Services may retain these values, so this package must not mutate them. */
export type DeepReadonly<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
      : Value;

/** Typed so that a handler with another shape does not compile. */
export function answer<Shape extends z.ZodType>(
  route: Pick<TypedRoute<Shape>, "response" | "status">,
  value: DeepReadonly<z.output<Shape>>,
): Response {
  return Response.json(value, { status: route.status ?? 200 });
}
