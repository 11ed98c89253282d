import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { systemModeSchema, systemTextsSchema } from "../prompt/system-texts.ts";
import { givenNameSchema } from "../values/given-name.ts";
import { grantsSchema } from "../grants/grant.ts";
import { turnIdSchema } from "../values/ids.ts";
import { commandCallSchema } from "./command-call.ts";
import { turnInputSchema } from "./turn-input.ts";

const costRule = "must be a number of US dollars, more than 0 and at most 1,000,000";

const besideInputSchema = lazySchema(() =>
  z.strictObject({
    model: givenNameSchema.optional(),
    /** System text for this call only; replaces the conversation's own. */
    system: systemTextsSchema.optional(),
    systemMode: systemModeSchema.optional(),
    /** Model calls that the turn may have, where that is fewer than the host allows. */
    maxSteps: z.int().min(1).max(10_000).optional(),
    /** US dollars: once its model calls, and those of its tasks, have cost as much, no other one begins. */
    maxCost: z.number(costRule).positive(costRule).max(1_000_000, costRule).optional(),
    /** JSON Schema: what the model says at the end is JSON that fits it. */
    schema: z.record(z.string(), z.json()).optional(),
  }),
);

/** A message that is sent, whatever it was made from. */
export const createTurnRequestSchema = lazySchema(() =>
  besideInputSchema.extend({
    input: turnInputSchema,
    /** The command that `input` is the text of. */
    command: commandCallSchema.optional(),
  }),
);
export type CreateTurnRequest = z.infer<typeof createTurnRequestSchema>;

/** Sends a message, or what a command stands for. */
export const turnBodySchema = lazySchema(() =>
  besideInputSchema
    .extend({
      input: turnInputSchema.optional(),
      command: commandCallSchema.optional(),
      /** Calls of tools that a person allows in this turn beforehand. */
      allow: grantsSchema.optional(),
    })
    .refine(({ input, command }) => (input === undefined) !== (command === undefined), {
      path: ["input"],
      error: 'must be there, or "command" in its place, and not both',
    }),
);
export type TurnBody = z.infer<typeof turnBodySchema>;

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
