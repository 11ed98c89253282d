import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** A tool of an epoch that requests to one model do not name. */
export const leftOutToolSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    /** Why the model's vendor refuses it, in one line. */
    reason: z.string(),
  }),
);
export type LeftOutTool = z.infer<typeof leftOutToolSchema>;

/** A sentence for the user. */
export function leftOutToolText({ name, reason }: LeftOutTool): string {
  return `The tool "${name}" is left out for this model: ${reason}`;
}
