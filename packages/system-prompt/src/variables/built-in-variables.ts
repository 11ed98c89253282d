import type { StaticVariable } from "@incipit/schema";
import { fileVariables } from "./file.ts";
import { gitVariables } from "./git.ts";
import { promptVariables } from "./prompt.ts";
import { systemVariables } from "./system.ts";
import type { VariableFacts, VariableType } from "./variable-type.ts";

/**
 * The host's own variables, a file for each type. To add one, give it a line in `staticVariables` of `@incipit/schema`, which
 * says what users are told of it: the compiler then names the file here that lacks it. A new type also gets its file,
 * and its line below. Resolver, catalogue and lint have no list of their own.
 */
const types: Readonly<Record<StaticVariable["type"], VariableType>> = {
  system: systemVariables,
  prompt: promptVariables,
  git: gitVariables,
  file: fileVariables,
};

/** By type; an extension cannot take one over. */
export const builtInVariables: ReadonlyMap<string, VariableType> = new Map(Object.entries(types));

/** What is known of `type:name`; `undefined`: it is none of the host's own. */
export function builtInFacts(variable: string): VariableFacts | undefined {
  const separator = variable.indexOf(":");
  return builtInVariables.get(variable.slice(0, separator))?.facts(variable.slice(separator + 1));
}
