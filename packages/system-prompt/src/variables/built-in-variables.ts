import type { StaticVariable } from "@incipit/schema";
import { fileVariables } from "./file.ts";
import { gitVariables } from "./git.ts";
import { promptVariables } from "./prompt.ts";
import { systemVariables } from "./system.ts";
import type { VariableFacts, VariableType } from "./variable-type.ts";

/**
 * One file per type. To add a variable, add it with its description to `staticVariables` of `@incipit/schema`: the
 * compiler then reports the file here that lacks it. A new type also needs a file and an entry below. Resolver,
 * catalogue and lint derive their lists from this.
 */
const types: Readonly<Record<StaticVariable["type"], VariableType>> = {
  system: systemVariables,
  prompt: promptVariables,
  git: gitVariables,
  file: fileVariables,
};

/** Built-in variables by type; extensions cannot override them. */
export const builtInVariables: ReadonlyMap<string, VariableType> = new Map(Object.entries(types));

export function builtInFacts(variable: string): VariableFacts | undefined {
  const separator = variable.indexOf(":");
  return builtInVariables.get(variable.slice(0, separator))?.facts(variable.slice(separator + 1));
}
