import { sha256Hex } from "@incipit/common";
import type { JsonValue } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { storedFactsSchema, type ExplainFacts } from "./explain-facts.ts";
import { packedRangesSchema, packRanges, unpackRanges } from "./packed-ranges.ts";

const referenceSchema = lazySchema(() =>
  z.union([z.object({ start: z.int(), end: z.int() }), z.object({ sha256: z.string() })]),
);
type Reference = z.infer<typeof referenceSchema>;

/** Without texts, which are in the prompt or shared between conversations. */
export const explainRecordSchema = lazySchema(() => {
  const { tiers, variables } = storedFactsSchema.shape;
  return storedFactsSchema.extend({
    tiers: z.array(tiers.element.extend({ template: referenceSchema.nullable() })),
    append: referenceSchema.nullable(),
    profileAppend: referenceSchema.exactOptional(),
    variables: z.array(variables.element.extend({ value: referenceSchema.nullable() })),
    ranges: packedRangesSchema,
  });
});
export type ExplainRecord = z.infer<typeof explainRecordSchema>;

export function packExplain(
  facts: ExplainFacts,
  prompt: string,
): { readonly record: JsonValue; readonly texts: readonly string[] } {
  const inserted = new Map<string, { readonly start: number; readonly end: number }>();
  for (const { origin, name, start, end } of facts.ranges) {
    if (origin === "variable" && name !== null && !inserted.has(name)) inserted.set(name, { start, end });
  }
  const texts: string[] = [];
  const refer = (text: string): Reference => {
    texts.push(text.toWellFormed());
    return { sha256: sha256Hex(text) }; // Hashing replaces lone surrogates in the same way.
  };
  const { profileAppend, ...others } = facts;
  const record: ExplainRecord = {
    ...others,
    tiers: facts.tiers.map((tier) => ({
      ...tier,
      template: tier.template === null ? null : refer(tier.template),
    })),
    append: facts.append === null ? null : refer(facts.append),
    ...(profileAppend === undefined ? {} : { profileAppend: refer(profileAppend) }),
    variables: facts.variables.map((variable) => {
      const { type, name, value } = variable;
      if (value === null) return { ...variable, value: null };
      const range = inserted.get(`${type}:${name}`);
      const isSame = range !== undefined && prompt.slice(range.start, range.end) === value;
      return { ...variable, value: isSame ? range : refer(value) };
    }),
    ranges: packRanges(facts.ranges),
  };
  return { record, texts };
}

/** @throws the error of `readText` for a missing text. */
export async function unpackExplain(
  { profileAppend, ...record }: ExplainRecord,
  prompt: string,
  readText: (sha256: string) => Promise<string>,
): Promise<ExplainFacts> {
  const resolve = async (reference: Reference): Promise<string> =>
    "sha256" in reference ? readText(reference.sha256) : prompt.slice(reference.start, reference.end);
  const read = async (reference: Reference | null): Promise<string | null> =>
    reference === null ? null : resolve(reference);
  const tierTexts = await Promise.all(record.tiers.map(({ template }) => read(template)));
  const values = await Promise.all(record.variables.map(({ value }) => read(value)));
  return {
    ...record,
    tiers: record.tiers.map((tier, index) => {
      const template = tierTexts[index] ?? null;
      return { ...tier, position: index + 1, template, sha256: template === null ? null : sha256Hex(template) };
    }),
    append: await read(record.append),
    ...(profileAppend === undefined ? {} : { profileAppend: await resolve(profileAppend) }),
    variables: record.variables.map((variable, index) => ({ ...variable, value: values[index] ?? null })),
    ranges: unpackRanges(record.ranges),
  };
}
