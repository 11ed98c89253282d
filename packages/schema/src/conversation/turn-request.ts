import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { systemModeSchema, systemTextsSchema } from "../prompt/system-texts.ts";
import { givenNameSchema } from "../values/given-name.ts";
import { turnIdSchema } from "../values/ids.ts";
import { turnInputSchema } from "./turn-input.ts";

/** Sends a message. */
export const createTurnRequestSchema = lazySchema(() =>
  z.strictObject({
    input: turnInputSchema,
    model: givenNameSchema.optional(),
    /** System text for this call only; replaces the conversation's own. */
    system: systemTextsSchema.optional(),
    systemMode: systemModeSchema.optional(),
  }),
);
export type CreateTurnRequest = z.infer<typeof createTurnRequestSchema>;

/** A turn that waits for those before it. */
export const queuedTurnSchema = lazySchema(() =>
  z.object({
    turnId: turnIdSchema,
    input: z.string(),
    /** 1: the next one. */
    position: z.int().positive(),
  }),
);
export type QueuedTurn = z.infer<typeof queuedTurnSchema>;
