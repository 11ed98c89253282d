import type { Vendor } from "@incipit/ai-sdk-provider";
import * as z from "zod";
import { takesReasoning } from "./model-abilities.ts";

/** Kept with what an endpoint said as `reasoning_content`. */
const said = { incipit: { reasoningField: "reasoning_content" } } as const;
const metadataSchema = z.object({ incipit: z.object({ reasoningField: z.literal("reasoning_content") }) });

/**
 * Who is behind a compatible endpoint is not known: some models refuse a request without the reasoning that led to a tool call,
 * and some endpoints one that has a field which they do not know. An endpoint that said `reasoning_content` knows that field, and
 * has it back, with the model that said it. One that says `reasoning` has none back, for the package writes the other field.
 * DeepSeek's models keep to their own rule, wherever they are.
 */
export const compatibleReasoning: Required<Pick<Vendor, "reasoningMetadata" | "takesReasoning">> = {
  reasoningMetadata: (event) => (hasField(event) ? said : undefined),
  takesReasoning({ parts, model: saidBy = "" }, model) {
    if (saidBy.slice(saidBy.indexOf("/") + 1) !== model) return false;
    const isMarked = parts.some(
      (part) => part.type === "reasoning" && metadataSchema.safeParse(part.metadata).success,
    );
    const name = model.toLowerCase();
    return isMarked && (!name.includes("deepseek") || takesReasoning({ kind: "deepseek", model: name }));
  },
};

/** Whether a chunk has reasoning in that field. By hand: a schema takes longer than the rest of what a chunk costs here. */
function hasField(event: unknown): boolean {
  if (!isRecord(event) || !Array.isArray(event["choices"])) return false;
  const [choice]: readonly unknown[] = event["choices"];
  if (!isRecord(choice) || !isRecord(choice["delta"])) return false;
  const { reasoning_content: text } = choice["delta"];
  return typeof text === "string" && text !== "";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
