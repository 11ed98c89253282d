import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { foundFileSourceSchema, leftOutFileSchema } from "./found-file.ts";

/** Where a command is from: a place of files, or a `server` that makes its message when it is sent. */
export const commandSourceSchema = z.enum([...foundFileSourceSchema.options, "server"]);
export type CommandSourceKind = z.infer<typeof commandSourceSchema>;

/** A message that is sent by its name. */
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
    source: commandSourceSchema,
    /** Absolute, links resolved; `null`: it is no file. */
    path: z.string().nullable(),
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
    /** What is missing of those that are no files, and why. */
    problems: z.array(z.string()),
  }),
);
export type CommandList = z.infer<typeof commandListSchema>;

/** A command with its text, arguments not put in; of a server's, what there is to read of it. */
export const shownCommandSchema = lazySchema(() => z.object({ command: commandSchema, body: z.string() }));
export type ShownCommand = z.infer<typeof shownCommandSchema>;
