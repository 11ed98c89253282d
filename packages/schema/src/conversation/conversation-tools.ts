import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { deferReasonSchema } from "./deferred-tools.ts";
import { leftOutToolSchema } from "./left-out-tool.ts";
import { sha256Schema } from "../values/sha256.ts";

/** The tools of one epoch of a conversation. */
export const conversationToolsResponseSchema = lazySchema(() =>
  z.object({
    /** What its requests name, sorted by name; before the first one: what that would. */
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        /** JSON Schema of the arguments. */
        inputSchema: z.record(z.string(), z.unknown()),
        /** `false`: a call of it gets an error result. */
        isAvailable: z.boolean(),
      }),
    ),
    /** Those of `tools` that the vendor of the conversation's model refuses: requests to it do not name them. */
    leftOut: z.array(leftOutToolSchema).default([]),
    /** What they do not name: the model looks it up when it needs it. */
    deferred: z.array(
      z.object({
        server: z.string(),
        reason: deferReasonSchema,
        /** Sorted by name. */
        tools: z.array(z.object({ name: z.string(), isAvailable: z.boolean() })),
      }),
    ),
    /** The hash of the JSON of the definitions; `null` before the first request of the epoch. */
    sha256: sha256Schema.nullable(),
    /** What another epoch that began at this moment would have otherwise, by name. */
    next: z.object({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      changed: z.array(z.string()),
      /** Tools that it would be without, and why. */
      problems: z.array(z.string()),
    }),
  }),
);
export type ConversationTools = z.infer<typeof conversationToolsResponseSchema>;

/** What a tool gave for one call, of which the model got the beginning. */
export const toolOutputResponseSchema = lazySchema(() =>
  z.object({
    /** At most 64 MiB of it. */
    output: z.string(),
    /** The size of all that the tool gave, in UTF-8. */
    sizeBytes: z.int().nonnegative(),
  }),
);
export type ToolOutput = z.infer<typeof toolOutputResponseSchema>;
