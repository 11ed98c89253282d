import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { foundFileSourceSchema, leftOutFileSchema } from "./found-file.ts";

/** Origin of a command: a file location, or a `server` that generates its message on each use. */
const commandSourceSchema = z.enum([...foundFileSourceSchema.options, "server"]);
export type CommandSourceKind = z.infer<typeof commandSourceSchema>;

/** A slash command, from a file or an MCP server. */
export const commandSchema = lazySchema(() =>
  z.object({
    /** Without the slash. */
    name: z.string(),
    /** One line; `null` if none. */
    description: z.string().nullable(),
    /** Human-readable description of the arguments, if any. */
    argumentHint: z.string().nullable(),
    /** Default PROVIDER/MODEL of a call; `null`: the conversation's. */
    model: z.string().nullable(),
    source: commandSourceSchema,
    /** Absolute, with links resolved; `null` unless a file. */
    path: z.string().nullable(),
    /** A non-fatal problem. */
    note: z.string().nullable(),
  }),
);
export type Command = z.infer<typeof commandSchema>;

/** Commands available in a folder. */
export const commandListSchema = lazySchema(() =>
  z.object({
    /** Absolute working folder. */
    cwd: z.string(),
    /** Sorted by name. */
    commands: z.array(commandSchema),
    leftOut: z.array(leftOutFileSchema),
    /** Errors of command sources. */
    problems: z.array(z.string()),
  }),
);
export type CommandList = z.infer<typeof commandListSchema>;

/** A command with its unexpanded text; for a server's, a description. */
export const shownCommandSchema = lazySchema(() =>
  z.object({
    command: commandSchema,
    /** Text without arguments; for a server's prompt, its arguments. */
    body: z.string(),
  }),
);
export type ShownCommand = z.infer<typeof shownCommandSchema>;
