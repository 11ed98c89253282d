import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { foundFileSourceSchema, leftOutFileSchema } from "./found-file.ts";

/** A message that is written once, and sent by its name. */
export const commandSchema = lazySchema(() =>
  z.object({
    /** Without the slash. */
    name: z.string(),
    /** `null`: it has none. */
    description: z.string().nullable(),
    /** What it is given, in words for people; `null`: it does not say. */
    argumentHint: z.string().nullable(),
    /** PROVIDER/MODEL that answers where the call names none; `null`: the conversation's. */
    model: z.string().nullable(),
    source: foundFileSourceSchema,
    /** Absolute, links resolved. */
    path: z.string(),
    /** What is not as it should be, and does no harm; `null`: nothing. */
    note: z.string().nullable(),
  }),
);
export type Command = z.infer<typeof commandSchema>;

/** The commands that a conversation of a folder has. */
export const commandListSchema = lazySchema(() =>
  z.object({
    /** Absolute. */
    cwd: z.string(),
    /** By name. */
    commands: z.array(commandSchema),
    leftOut: z.array(leftOutFileSchema),
  }),
);
export type CommandList = z.infer<typeof commandListSchema>;

/** A command with its text, arguments not put in. */
export const shownCommandSchema = lazySchema(() => z.object({ command: commandSchema, body: z.string() }));
export type ShownCommand = z.infer<typeof shownCommandSchema>;
