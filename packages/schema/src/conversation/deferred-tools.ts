import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { callToolName } from "../values/own-tool-names.ts";

/**
 * Why a server's tools are deferred: by configuration, because they take too much space, or because their number
 * exceeds the limit of a request.
 */
export const deferReasonSchema = z.enum(["configured", "no-room", "too-many"]);
export type DeferReason = z.infer<typeof deferReasonSchema>;

/** A server whose tools are omitted from requests and found by tool search. */
export const deferredServerSchema = lazySchema(() =>
  z.object({
    /** Name of an MCP server, or id of an extension. */
    server: z.string(),
    /** Number of deferred tools. */
    count: z.int().positive(),
    reason: deferReasonSchema,
  }),
);
export type DeferredServer = z.infer<typeof deferredServerSchema>;

const callSchema = lazySchema(() => z.looseObject({ name: z.string(), input: z.unknown().optional() }));

/** Returns the tool that a call runs: for a call of `call_tool`, the found tool and its input. */
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
    return { name, input }; // The model's input is not JSON.
  }
}
