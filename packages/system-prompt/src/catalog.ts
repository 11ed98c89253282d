import type { Contribution } from "@incipit/kernel";
import { staticVariables, systemPromptVariableSchema, type SystemPromptVariable } from "@incipit/schema";
import type { PromptVariables } from "@incipit/service-contract";
import * as z from "zod";
import { contributedTypes } from "./variables/contributed-types.ts";

/** So many of one type are listed; others can be named all the same. */
const maxListed = 1_000;

const listedSchema = z.array(systemPromptVariableSchema.omit({ type: true }));

/** What can be named in a template: the built-in variables, then those of loaded extensions. */
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

/** What an extension says of its variables may be anything: what is no list is none. */
function listed(value: PromptVariables): z.infer<typeof listedSchema> {
  try {
    return listedSchema.parse(value.variables.slice(0, maxListed));
  } catch {
    return [];
  }
}
