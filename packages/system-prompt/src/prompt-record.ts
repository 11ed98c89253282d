import type { JsonValue } from "@incipit/kernel";
import { explainSchema, promptReasonSchema, type Explain } from "@incipit/service-contract";
import * as z from "zod";

/** What is kept of a conversation's prompt; its text is kept under its hash, once for all that have it. */
export const promptRecordSchema = z.object({
  sha256: z.string(),
  sizeBytes: z.int(),
  reason: promptReasonSchema,
  constructedAt: z.iso.datetime(),
  templateVersion: z.int().nullable(),
  /** Where append and segments begin in the text, in UTF-16 units. */
  tailStart: z.int(),
});
export type PromptRecord = z.infer<typeof promptRecordSchema>;

const shape = explainSchema.shape;

/** A text that is not repeated in the record: a stretch of the prompt, or one that is kept under its hash. */
const referenceSchema = z.union([z.object({ start: z.int(), end: z.int() }), z.object({ sha256: z.string() })]);
type Reference = z.infer<typeof referenceSchema>;

/** An explanation without the texts: those are in the prompt, or shared with other conversations. */
export const explainRecordSchema = explainSchema.extend({
  tiers: z.array(shape.tiers.element.extend({ template: referenceSchema.nullable() })),
  variables: z.array(shape.variables.element.extend({ value: referenceSchema.nullable() })),
});
export type ExplainRecord = z.infer<typeof explainRecordSchema>;

export function hashText(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** `texts`: what the record refers to by hash. */
export function packExplain(
  explain: Explain,
  prompt: string,
): { readonly record: JsonValue; readonly texts: readonly string[] } {
  const inserted = new Map<string, { readonly start: number; readonly end: number }>();
  for (const { origin, name, start, end } of explain.ranges) {
    if (origin === "variable" && name !== null && !inserted.has(name)) inserted.set(name, { start, end });
  }
  const texts: string[] = [];
  const refer = (text: string): Reference => {
    texts.push(text.toWellFormed());
    return { sha256: hashText(text) }; // Hashing replaces lone surrogates just so.
  };
  const record: ExplainRecord = {
    ...explain,
    tiers: explain.tiers.map((tier) => ({
      ...tier,
      template: tier.template === null ? null : refer(tier.template),
    })),
    variables: explain.variables.map((variable) => {
      const { type, name, value } = variable;
      if (value === null) return { ...variable, value: null };
      const range = inserted.get(`${type}:${name}`);
      const isSame = range !== undefined && prompt.slice(range.start, range.end) === value;
      return { ...variable, value: isSame ? range : refer(value) };
    }),
  };
  return { record: z.json().parse(record), texts };
}

/** @throws what `readText` throws for a text that is gone. */
export async function unpackExplain(
  record: ExplainRecord,
  prompt: string,
  readText: (sha256: string) => Promise<string>,
): Promise<Explain> {
  const read = async (reference: Reference | null): Promise<string | null> => {
    if (reference === null) return null;
    return "sha256" in reference ? readText(reference.sha256) : prompt.slice(reference.start, reference.end);
  };
  const tiers = await Promise.all(
    record.tiers.map(async (tier) => ({ ...tier, template: await read(tier.template) })),
  );
  const variables = await Promise.all(
    record.variables.map(async (variable) => ({ ...variable, value: await read(variable.value) })),
  );
  return { ...record, tiers, variables };
}
