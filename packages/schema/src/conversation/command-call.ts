import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const nameRule = "must be the name of a command, without the slash: letters, digits, _ and -, at most 64";

/** A command with what was typed behind it. */
export const commandCallSchema = lazySchema(() =>
  z.strictObject({
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, nameRule),
    /** Absent: none. */
    arguments: z.string().max(1_048_576, "must have at most 1,048,576 characters").exactOptional(),
  }),
);
export type CommandCall = z.infer<typeof commandCallSchema>;

/** `/NAME ARGUMENTS` as a command; `undefined`: the text is none, such as a path. White space in front makes any a text. */
export function parseCommandCall(text: string): CommandCall | undefined {
  const [, name, rest = ""] = /^\/([A-Za-z0-9][A-Za-z0-9_-]{0,63})(?:\s+([^]*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const given = rest.trim();
  return given === "" ? { name } : { name, arguments: given };
}
