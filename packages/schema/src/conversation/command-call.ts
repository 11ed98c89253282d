import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const nameRule = "must be the name of a command, without the slash: letters, digits, _ and -, at most 64";

/** A slash command with its arguments. */
export const commandCallSchema = lazySchema(() =>
  z.strictObject({
    /** Name of the command, without the slash. */
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, nameRule),
    /** Text after the command. */
    arguments: z.string().max(1_048_576, "must have at most 1,048,576 characters").exactOptional(),
  }),
);
export type CommandCall = z.infer<typeof commandCallSchema>;

/** Parses `/NAME ARGUMENTS`. Returns `undefined` for other text, such as a path, or with leading white space. */
export function parseCommandCall(text: string): CommandCall | undefined {
  const [, name, rest = ""] = /^\/([A-Za-z0-9][A-Za-z0-9_-]{0,63})(?:\s+([^]*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const given = rest.trim();
  return given === "" ? { name } : { name, arguments: given };
}
