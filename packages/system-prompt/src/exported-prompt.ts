import type { JsonValue } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import * as z from "zod";
import { keptFactsSchema, withPositions, type ExplainFacts } from "./explain-facts.ts";
import type { EarlierPrompt } from "./constructions.ts";
import { hashText, promptRecordSchema } from "./prompt-record.ts";
import type { KeptPrompt } from "./prompt-store.ts";

/** A kept prompt with all texts that it refers to, so that it can be kept elsewhere. */
const exportedPromptSchema = z.strictObject({
  text: z.string(),
  record: promptRecordSchema,
  explain: keptFactsSchema,
  /** Those that it had before, oldest first. */
  earlier: z.array(z.strictObject({ text: z.string(), record: promptRecordSchema })).default([]),
});

export function toExported(
  { text, record }: KeptPrompt,
  { explain, earlier }: { readonly explain: ExplainFacts; readonly earlier: readonly EarlierPrompt[] },
): JsonValue {
  return z.json().parse({ text, record, explain, earlier });
}

/** @throws {ServiceError} `INVALID_REQUEST` for what `toExported` did not give, or was changed since. */
export function fromExported(exported: JsonValue): {
  readonly kept: KeptPrompt & { readonly earlier: readonly EarlierPrompt[] };
  readonly explain: ExplainFacts;
} {
  const parsed = exportedPromptSchema.safeParse(exported);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.map(String).join(".") || "the value";
    throw new ServiceError("INVALID_REQUEST", `It is no exported system prompt: ${place}: ${issue?.message ?? ""}`);
  }
  const { text, record, explain, earlier } = parsed.data;
  if ([{ text, record }, ...earlier].some((prompt) => hashText(prompt.text) !== prompt.record.sha256))
    throw new ServiceError("INVALID_REQUEST", "The exported system prompt was changed: its hash does not match");
  return { kept: { text, record, earlier }, explain: withPositions(explain) };
}
