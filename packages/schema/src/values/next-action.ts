import * as z from "zod";
import { lazySchema } from "./lazy-schema.ts";

/**
 * What can be done about a failure, as data: each way in says it in its own words, HTTP as a route, the command as a command.
 * `conversationId` is `null` where any conversation will do.
 */
export const nextActionSchema = lazySchema(() =>
  z.discriminatedUnion("action", [
    z.object({
      action: z.literal([
        "list-conversations",
        "list-calls",
        "list-extensions",
        "list-template-versions",
        "list-tokens",
        "list-schedules",
        "list-channels",
      ]),
    }),
    z.object({
      action: z.literal(["show-conversation", "list-messages", "list-steps", "list-queue", "list-prompts", "stop"]),
      conversationId: z.string().nullable(),
    }),
  ]),
);
export type NextAction = z.infer<typeof nextActionSchema>;
