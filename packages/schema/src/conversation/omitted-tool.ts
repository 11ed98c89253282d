import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** A tool omitted from requests to a model because its vendor rejects it. */
export const leftOutToolSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    /** Why the vendor rejects the tool, on one line. */
    reason: z.string(),
  }),
);
export type OmittedTool = z.infer<typeof leftOutToolSchema>;

/** Returns a sentence for users. */
export function leftOutToolText({ name, reason }: OmittedTool): string {
  return `The tool "${name}" is left out for this model: ${reason}`;
}
