import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { deferReasonSchema } from "./deferred-tools.ts";
import { sha256Schema } from "../values/sha256.ts";

/** Tools of one epoch of a conversation. */
export const conversationToolsResponseSchema = lazySchema(() =>
  z.object({
    /** Tools of its requests, sorted by name; before the first request, the expected ones. */
    tools: z.array(
      z.object({
        name: z.string(),
        /** Description for the model. */
        description: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
        /** `false`: calls return an error result. */
        isAvailable: z.boolean(),
      }),
    ),
    /** Entries of `tools` that requests omit because the vendor rejects them. */
    leftOut: z.array(leftOutToolSchema).default([]),
    /** Deferred tools: omitted from requests, available by tool search. */
    deferred: z.array(
      z.object({
        /** Name of an MCP server, or id of an extension. */
        server: z.string(),
        reason: deferReasonSchema,
        /** Sorted by name. */
        tools: z.array(
          z.object({
            name: z.string(),
            /** `false`: calls return an error result. */
            isAvailable: z.boolean(),
          }),
        ),
      }),
    ),
    /** SHA-256 of the definitions' JSON; `null` before the epoch's first request. */
    sha256: sha256Schema.nullable(),
    /** Changes if an epoch began now, by tool name. */
    next: z.object({
      /** Names of tools that would be added. */
      added: z.array(z.string()),
      /** Names of tools that would be removed. */
      removed: z.array(z.string()),
      /** Names of tools whose definition would change. */
      changed: z.array(z.string()),
      /** Tools that would be missing, with reasons. */
      problems: z.array(z.string()),
    }),
  }),
);
export type ConversationTools = z.infer<typeof conversationToolsResponseSchema>;

/** Full output of a call whose result was truncated for the model. */
export const toolOutputResponseSchema = lazySchema(() =>
  z.object({
    /** Output of the tool; at most 64 MiB. */
    output: z.string(),
    /** Size of the original output in UTF-8 bytes. */
    sizeBytes: z.int().nonnegative(),
  }),
);
export type ToolOutput = z.infer<typeof toolOutputResponseSchema>;

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
  return `The tool "${name}" is omitted for this model: ${reason}`;
}
