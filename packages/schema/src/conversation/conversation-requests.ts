import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { clientNameSchema } from "../values/client-name.ts";
import { oneLine } from "../values/one-line.ts";
import { turnSettingsSchema } from "../model/turn-settings.ts";
import { systemModeSchema, systemTextsSchema } from "../prompt/system-texts.ts";
import { allowedToolsSchema } from "./allowed-tools.ts";

/** Set by the user, or derived from the first message; one line. */
const titleSchema = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(...oneLine);

/** Body of a request that creates a conversation. */
export const createConversationRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Absolute working folder, which must exist. Defaults to the host's. */
    cwd: z.string().optional(),
    /** PROVIDER/MODEL. Defaults to that of the profile or host. */
    model: clientNameSchema.optional(),
    profile: clientNameSchema.optional(),
    /** Title: one line. Defaults to a title from the first message. */
    title: titleSchema.optional(),
    /** Available tools, such as `read_file` or `files__*`. Defaults to all. */
    allowedTools: allowedToolsSchema.optional(),
    /** Defaults to the profile's settings. */
    settings: turnSettingsSchema.optional(),
    /** Base of the conversation's prompts, or text appended to the base; sent verbatim. */
    system: systemTextsSchema.optional(),
    systemMode: systemModeSchema.optional(),
  }),
);
export type CreateConversationRequest = z.infer<typeof createConversationRequestSchema>;

/** Body of a partial update: absent fields are unchanged. */
export const updateConversationRequestSchema = lazySchema(() =>
  z
    .strictObject({
      /** New title: one line. `null`: the automatic title. */
      title: titleSchema.nullable().optional(),
      /** Whether lists and searches omit it by default. */
      archived: z.boolean().optional(),
      /** `true`: rejects further messages until the client deletes it; `false` reverts that. */
      deleted: z.boolean().optional(),
      /** Other tools are blocked immediately, and removed from requests in the next epoch. `null`: all. */
      allowedTools: allowedToolsSchema.nullable().optional(),
      /** Settings of each model call, from the next one on. `null`: none. */
      settings: turnSettingsSchema.nullable().optional(),
      /** Absolute. Applies to tools from the next model call on, and to the prompt at its next construction. */
      cwd: z.string().optional(),
      /** PROVIDER/MODEL for the next turn on. */
      model: clientNameSchema.optional(),
      /**
       * Applies at the next construction of the prompt; its model, unless `model` is given, immediately. `null`:
       * none.
       */
      profile: clientNameSchema.nullable().optional(),
      /** As in a create request; applies at the next construction of the prompt. `null`: none. */
      system: systemTextsSchema.nullable().optional(),
      systemMode: systemModeSchema.optional(),
    })
    .refine((request) => Object.keys(request).length > 0, "must name what to change"),
);
export type UpdateConversationRequest = z.infer<typeof updateConversationRequestSchema>;

/** Where to fork. Defaults to the last message of a completed turn. */
export const forkConversationRequestSchema = lazySchema(() =>
  z
    .strictObject({
      /** Last message included in the fork. */
      after: z.string().optional(),
      /** First message excluded from the fork, such as a message to edit and resend. */
      before: z.string().optional(),
      /** Defaults to the source's title. */
      title: titleSchema.optional(),
    })
    .refine(({ after, before }) => after === undefined || before === undefined, {
      message: "Name one message, as `after` or as `before`",
    }),
);
export type ForkConversationRequest = z.infer<typeof forkConversationRequestSchema>;

const instructionsRule = "must be a text of 1 to 10,000 characters";

/** Replaces the history by a summary. */
export const compactConversationRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Details that the summary must keep or emphasize; added after the host's instructions. */
    instructions: z.string().trim().min(1, instructionsRule).max(10_000, instructionsRule).optional(),
  }),
);
