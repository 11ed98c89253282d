import { explainSchema, lazySchema, type Explain } from "@incipit/schema";
import * as z from "zod";

export type ExplainFacts = Omit<Explain, "tokens" | "isImported">;

/** Fields added after the first schema have defaults; a tier's position is its index. */
export const storedFactsSchema = lazySchema(() => {
  const { tiers, variables, ranges, segments, ...shape } = explainSchema.omit({
    tokens: true,
    isImported: true,
  }).shape;
  return z.object({
    ...shape,
    model: shape.model.default(null),
    tiers: z.array(
      tiers.element.extend({
        position: z.int().default(0),
        sha256: tiers.element.shape.sha256.default(null),
        version: tiers.element.shape.version.default(null),
      }),
    ),
    append: shape.append.default(null),
    variables: z.array(
      variables.element.extend({
        detail: variables.element.shape.detail.default(null),
        extension: variables.element.shape.extension.default(null),
        trust: variables.element.shape.trust.default(null),
      }),
    ),
    branches: shape.branches.default([]),
    ranges: z.array(
      ranges.element.extend({
        extension: z.string().nullable().default(null),
        branch: z.int().nullable().default(null),
        templateStart: z.int().nullable().default(null),
        templateEnd: z.int().nullable().default(null),
      }),
    ),
    segments: segments.default([]),
    conflicts: shape.conflicts.default([]),
  });
});
export type KeptFacts = z.infer<typeof storedFactsSchema>;

export function withPositions(facts: KeptFacts): ExplainFacts {
  return { ...facts, tiers: facts.tiers.map((tier, index) => ({ ...tier, position: index + 1 })) };
}
