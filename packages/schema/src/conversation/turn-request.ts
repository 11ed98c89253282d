import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { systemModeSchema, systemTextsSchema } from "../prompt/system-texts.ts";
import { clientNameSchema } from "../values/client-name.ts";
import { grantsSchema } from "../grants/grant.ts";
import { turnIdSchema } from "../values/ids.ts";
import { commandCallSchema } from "./command-call.ts";
import { turnInputSchema } from "./turn-input.ts";

const costRule = "must be a number of US dollars, more than 0 and at most 1,000,000";

const besideInputSchema = lazySchema(() =>
  z.strictObject({
    /** PROVIDER/MODEL of this turn. Defaults to the conversation's. */
    model: clientNameSchema.optional(),
    /** System messages for this call only; they replace the conversation's. */
    system: systemTextsSchema.optional(),
    systemMode: systemModeSchema.optional(),
    /** Limit of model calls, if lower than the host's. */
    maxSteps: z.int().min(1).max(10_000).optional(),
    /** In US dollars: no further model call starts once the turn and its subtasks have cost this much. */
    maxCost: z.number(costRule).positive(costRule).max(1_000_000, costRule).optional(),
    /** JSON Schema of the final reply. A mismatch is retried once, then the turn fails as `ANSWER_UNFIT`. */
    schema: z.record(z.string(), z.json()).optional(),
  }),
);

/** A message from any source. */
const createTurnRequestSchema = lazySchema(() =>
  besideInputSchema.extend({
    input: turnInputSchema,
    command: commandCallSchema.optional(),
  }),
);
export type CreateTurnRequest = z.infer<typeof createTurnRequestSchema>;

/** Sends a message or a command. */
export const turnBodySchema = lazySchema(() =>
  besideInputSchema
    .extend({
      input: turnInputSchema.optional(),
      command: commandCallSchema.optional(),
      /** Tool calls that the user allows in advance: `TOOL`, `SERVER__*` or `TOOL(PATTERN)`. */
      allow: grantsSchema.optional(),
    })
    .refine(({ input, command }) => (input === undefined) !== (command === undefined), {
      path: ["input"],
      error: 'must be there, or "command" in its place, and not both',
    }),
);
export type TurnBody = z.infer<typeof turnBodySchema>;

/** A turn that waits for earlier ones. */
export const queuedTurnSchema = lazySchema(() =>
  z.object({
    turnId: turnIdSchema,
    /** Text of the message. */
    input: z.string(),
    /** 1 for the next turn. */
    position: z.int().positive(),
  }),
);
export type QueuedTurn = z.infer<typeof queuedTurnSchema>;
