import type { ModelMessage } from "@incipit/schema";
import * as z from "zod";
import { takesReasoning } from "./model-abilities.ts";

const metadataSchema = z.object({ incipit: z.object({ reasoningField: z.literal("reasoning_content") }) });

/**
 * Some models reject a request without the reasoning that led to a tool call, and some endpoints reject unknown
 * fields. An endpoint that sent `reasoning_content` gets it back, for the same model. One that sent `reasoning` does
 * not, since requests use the other field. DeepSeek's models follow their own rule on any host.
 */
export function takesReasoningBack({ parts, model: saidBy = "" }: ModelMessage, model: string): boolean {
  if (saidBy.slice(saidBy.indexOf("/") + 1) !== model) return false;
  const isMarked = parts.some(
    (part) => part.type === "reasoning" && metadataSchema.safeParse(part.metadata).success,
  );
  const name = model.toLowerCase();
  return isMarked && (!name.includes("deepseek") || takesReasoning({ kind: "deepseek", model: name }));
}
