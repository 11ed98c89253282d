import { sha256Hex } from "@incipit/common";
import type { JsonValue } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { storedFactsSchema, type ExplainFacts } from "./explain-facts.ts";
import type { EarlierPrompt } from "./constructions.ts";
import { promptRecordSchema } from "./prompt-record.ts";
import type { KeptPrompt } from "./prompt-store.ts";

const exportedTextSchema = lazySchema(() =>
  z.strictObject({
    text: z.string(),
    record: promptRecordSchema.omit({ isImported: true }),
  }),
);

const exportedPromptSchema = lazySchema(() =>
  z.strictObject({
    ...exportedTextSchema.shape,
    explain: storedFactsSchema,
    earlier: z.array(exportedTextSchema),
  }),
);

export function toExported(
  prompt: KeptPrompt,
  { explain, earlier }: { readonly explain: ExplainFacts; readonly earlier: readonly EarlierPrompt[] },
): JsonValue {
  return z.json().parse({ ...withoutMark(prompt), explain, earlier: earlier.map(withoutMark) });
}

/** Removes the mark `isImported`, which the importing host sets itself. */
function withoutMark({ text, record }: KeptPrompt): KeptPrompt {
  // oxlint-disable-next-line no-unused-vars -- omits the field
  const { isImported, ...rest } = record;
  return { text, record: rest };
}

/**
 * Discards the exported trust.
 * @throws {ServiceError} `INVALID_REQUEST` for data that `toExported` did not return, or that was changed.
 */
export function fromExported(exported: JsonValue): {
  readonly kept: KeptPrompt & { readonly earlier: readonly EarlierPrompt[] };
  readonly explain: ExplainFacts;
} {
  const parsed = exportedPromptSchema.safeParse(exported);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.map(String).join(".") || "the value";
    throw new ServiceError(
      "INVALID_REQUEST",
      `This is not an exported system prompt: ${place}: ${issue?.message ?? ""}`,
    );
  }
  const { text, record, explain, earlier } = parsed.data;
  const prompts = [{ text, record }, ...earlier];
  if (prompts.some((prompt) => sha256Hex(prompt.text) !== prompt.record.sha256))
    throw new ServiceError("INVALID_REQUEST", "The exported system prompt was changed: its hash does not match");
  if (!prompts.every(hasItsSizes))
    throw new ServiceError("INVALID_REQUEST", "The exported system prompt was changed: it has another size");
  const kept = { ...withMark({ text, record }), earlier: earlier.map(withMark) };
  const variables = explain.variables.map((variable) =>
    variable.trust === null ? variable : { ...variable, trust: "not-trusted" as const },
  );
  return { kept, explain: { ...explain, variables } };
}

function hasItsSizes({ text, record: { sizeBytes, tailStart } }: KeptPrompt): boolean {
  return sizeBytes === Buffer.byteLength(text) && tailStart >= 0 && tailStart <= text.length;
}

function withMark({ text, record }: KeptPrompt): KeptPrompt {
  return { text, record: { ...record, isImported: true } };
}
