import type { Contribution } from "@incipit/kernel";
import { staticVariables, systemPromptVariableSchema, type SystemPromptVariable } from "@incipit/schema";
import type { PromptVariables } from "@incipit/service-contract";
import * as z from "zod";
import { contributedTypes } from "./variables/contributed-types.ts";

/** Per type; others can still be used. */
const maxListed = 1_000;

const listedSchema = z.array(systemPromptVariableSchema.omit({ type: true }));

/** Lists the variables available to templates: built-in ones, then those of extensions. */
export function getVariableCatalog(
  contributed: readonly Contribution<PromptVariables>[] = [],
): readonly SystemPromptVariable[] {
  const catalog = [...staticVariables];
  for (const [type, { value }] of contributedTypes(contributed).byType) {
    for (const { name, description, dynamic } of listed(value))
      catalog.push({ type, name, description, ...(dynamic === undefined ? {} : { dynamic }) });
  }
  return catalog;
}

function listed(value: PromptVariables): z.infer<typeof listedSchema> {
  try {
    return listedSchema.parse(value.variables.slice(0, maxListed));
  } catch {
    return [];
  }
}
