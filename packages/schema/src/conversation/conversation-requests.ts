import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { givenNameSchema } from "../values/given-name.ts";
import { oneLine } from "../values/one-line.ts";
import { turnSettingsSchema } from "../model/turn-settings.ts";
import { systemModeSchema, systemTextsSchema } from "../prompt/system-texts.ts";
import { allowedToolsSchema } from "./allowed-tools.ts";

/** What a person gives, or the host takes from the first message; one line. */
const titleSchema = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(...oneLine);

/** Begins a conversation. */
export const createConversationRequestSchema = lazySchema(() =>
  z.strictObject({
    cwd: z.string().optional(),
    model: givenNameSchema.optional(),
    profile: givenNameSchema.optional(),
    title: titleSchema.optional(),
    /** The tools that it may use; absent: all of them. */
    allowedTools: allowedToolsSchema.optional(),
    /** What each call of its turns asks for; absent: as its profile says. */
    settings: turnSettingsSchema.optional(),
    /** System text of each prompt that is constructed for it, in place of the base or behind it; sent as it is. */
    system: systemTextsSchema.optional(),
    systemMode: systemModeSchema.optional(),
  }),
);
export type CreateConversationRequest = z.infer<typeof createConversationRequestSchema>;

/** Changes what is known of a conversation. */
export const updateConversationRequestSchema = lazySchema(() =>
  z
    .strictObject({
      /** `null`: the one that it would have got by itself, from its first message. */
      title: titleSchema.nullable().optional(),
      archived: z.boolean().optional(),
      /** `true`: it takes no message, and whoever asked deletes it soon; `false` takes that back. */
      deleted: z.boolean().optional(),
      /** What is not among them runs no more; requests name others from the next epoch on. `null`: all of them. */
      allowedTools: allowedToolsSchema.nullable().optional(),
      /** What each call asks for from the next one on, in place of what it was. `null`: nothing. */
      settings: turnSettingsSchema.nullable().optional(),
      /** Absolute. Tools run there from the next model call on; it counts for the prompt when that is constructed next. */
      cwd: z.string().optional(),
      /** PROVIDER/MODEL that answers from the next turn on. */
      model: givenNameSchema.optional(),
      /** Counts when the prompt is constructed next; its model, where it has one and none is named, at once. `null`: none. */
      profile: givenNameSchema.nullable().optional(),
      /** As of a new one; counts when the prompt is constructed next. `null`: none. */
      system: systemTextsSchema.nullable().optional(),
      systemMode: systemModeSchema.optional(),
    })
    .refine((request) => Object.keys(request).length > 0, "must name what to change"),
);
export type UpdateConversationRequest = z.infer<typeof updateConversationRequestSchema>;

/** Where a fork branches off; neither: behind the last message of a turn that has ended. */
export const forkConversationRequestSchema = lazySchema(() =>
  z
    .strictObject({
      /** Id of the last message that the fork has. */
      after: z.string().optional(),
      /** Id of the first message that it has not: to send that one anew, edited. */
      before: z.string().optional(),
      /** Absent: that of its source. */
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
    /** What the summary has to keep or to stress; the model gets it behind the host's own instructions. */
    instructions: z.string().trim().min(1, instructionsRule).max(10_000, instructionsRule).optional(),
  }),
);
export type CompactConversationRequest = z.infer<typeof compactConversationRequestSchema>;
