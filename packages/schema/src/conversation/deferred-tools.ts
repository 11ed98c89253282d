import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { callToolName } from "../values/own-tool-names.ts";

/**
 * Why the tools of a server are looked up: the configuration says so, they would have taken too much room in each request, or
 * no request could name them all, whatever the configuration says.
 */
export const deferReasonSchema = z.enum(["configured", "no-room", "too-many"]);
export type DeferReason = z.infer<typeof deferReasonSchema>;

/** A server whose tools stand in no request: they are found by a search. */
export const deferredServerSchema = lazySchema(() =>
  z.object({
    /** Name of a server of tools, or id of an extension. */
    server: z.string(),
    count: z.int().positive(),
    reason: deferReasonSchema,
  }),
);
export type DeferredServer = z.infer<typeof deferredServerSchema>;

const callSchema = lazySchema(() => z.looseObject({ name: z.string(), input: z.unknown().optional() }));

/** What a call was of: where the model ran a tool that it had looked up, that one and its input. */
export function calledTool({ name, input }: { readonly name: string; readonly input: string }): {
  readonly name: string;
  readonly input: string;
} {
  if (name !== callToolName) return { name, input };
  try {
    const { data } = callSchema.safeParse(JSON.parse(input));
    if (data === undefined) return { name, input };
    const { input: given = {} } = data;
    return { name: data.name, input: typeof given === "string" ? given : JSON.stringify(given) };
  } catch {
    return { name, input }; // The model has written no JSON.
  }
}
