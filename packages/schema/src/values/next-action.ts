import * as z from "zod";
import { lazySchema } from "./lazy-schema.ts";

/**
 * A suggested action after an error, as data: HTTP renders a route, the CLI a command. `conversationId` is `null`
 * if any conversation will do.
 */
export const nextActionSchema = lazySchema(() =>
  z.discriminatedUnion("action", [
    z.object({
      /** What to do next. */
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
      /** What to do next. */
      action: z.literal(["show-conversation", "list-messages", "list-steps", "list-queue", "list-prompts", "stop"]),
      /** Affected conversation; `null` if any. */
      conversationId: z.string().nullable(),
    }),
  ]),
);
export type NextAction = z.infer<typeof nextActionSchema>;
