import type { JsonValue } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import * as z from "zod";
import { keptFactsSchema, withPositions, type ExplainFacts } from "./explain-facts.ts";
import { hashText, promptRecordSchema } from "./prompt-record.ts";
import type { KeptPrompt } from "./prompt-store.ts";

/** A kept prompt with all texts that it refers to, so that it can be kept elsewhere. */
const exportedPromptSchema = z.strictObject({
  text: z.string(),
  record: promptRecordSchema,
  explain: keptFactsSchema,
});

export function toExported({ text, record }: KeptPrompt, explain: ExplainFacts): JsonValue {
  return z.json().parse({ text, record, explain });
}

/** @throws {ServiceError} `INVALID_REQUEST` for what `toExported` did not give, or was changed since. */
export function fromExported(exported: JsonValue): { readonly kept: KeptPrompt; readonly explain: ExplainFacts } {
  const parsed = exportedPromptSchema.safeParse(exported);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.map(String).join(".") || "the value";
    throw new ServiceError("INVALID_REQUEST", `It is no exported system prompt: ${place}: ${issue?.message ?? ""}`);
  }
  const { text, record, explain } = parsed.data;
  if (hashText(text) !== record.sha256)
    throw new ServiceError("INVALID_REQUEST", "The exported system prompt was changed: its hash does not match");
  return { kept: { text, record }, explain: withPositions(explain) };
}
