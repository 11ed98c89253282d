import type { ModelMessage } from "@incipit/schema";
import * as z from "zod";
import { takesReasoning } from "./model-abilities.ts";

/** Kept with what an endpoint said as `reasoning_content`. */
const metadataSchema = z.object({ incipit: z.object({ reasoningField: z.literal("reasoning_content") }) });

/**
 * Whether a message's reasoning goes back to a compatible endpoint. Who is behind one is not known: some models refuse a request
 * without the reasoning that led to a tool call, and some endpoints one that has a field which they do not know. An endpoint that
 * said `reasoning_content` knows that field, and has it back, with the model that said it. One that says `reasoning` has none
 * back: what is written is the other field. DeepSeek's models keep to their own rule, wherever they are.
 */
export function takesReasoningBack({ parts, model: saidBy = "" }: ModelMessage, model: string): boolean {
  if (saidBy.slice(saidBy.indexOf("/") + 1) !== model) return false;
  const isMarked = parts.some(
    (part) => part.type === "reasoning" && metadataSchema.safeParse(part.metadata).success,
  );
  const name = model.toLowerCase();
  return isMarked && (!name.includes("deepseek") || takesReasoning({ kind: "deepseek", model: name }));
}
