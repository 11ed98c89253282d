import type { Contribution } from "@incipit/kernel";
import { staticVariables, type PromptVariables, type SystemPromptVariable } from "@incipit/service-contract";

/** The types that are always there; an extension cannot take one over. */
const builtInTypes: ReadonlySet<string> = new Set(staticVariables.map(({ type }) => type));

/** What can be named in a template: the built-in variables, then those of loaded extensions. */
export function getVariableCatalog(
  contributed: readonly Contribution<PromptVariables>[] = [],
): readonly SystemPromptVariable[] {
  const catalog = [...staticVariables];
  const types = new Set(builtInTypes);
  for (const { value } of contributed) {
    if (types.has(value.type)) continue;
    types.add(value.type);
    for (const { name, description, dynamic } of value.variables) {
      catalog.push({ type: value.type, name, description, ...(dynamic === undefined ? {} : { dynamic }) });
    }
  }
  return catalog;
}
