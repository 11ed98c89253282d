import type { Contribution } from "@incipit/kernel";
import type { Explain } from "@incipit/schema";
import type { PromptVariables } from "@incipit/service-contract";
import { builtInVariables } from "./built-in-variables.ts";

export interface ContributedTypes {
  readonly byType: ReadonlyMap<string, Contribution<PromptVariables>>;
  readonly conflicts: Explain["conflicts"];
}

/** Maps types to extensions: of duplicates, the first in the kernel's order, by id. */
export function contributedTypes(contributed: readonly Contribution<PromptVariables>[]): ContributedTypes {
  const byType = new Map<string, Contribution<PromptVariables>>();
  const conflicts: Explain["conflicts"] = [];
  for (const contribution of contributed) {
    const { extension } = contribution;
    const type = typeOf(contribution);
    const report = (detail: string): void =>
      void conflicts.push({ point: "prompt-variables@1", name: type ?? "", extension, detail });
    const other = type === undefined ? undefined : byType.get(type);
    if (type === undefined) report("its type cannot be read, or is not a word of letters, digits and _");
    else if (builtInVariables.has(type)) report(`"${type}" is a type of the host's own`);
    else if (other !== undefined) report(`extension "${other.extension}" adds "${type}", and comes first`);
    else byType.set(type, contribution);
  }
  return { byType, conflicts };
}

function typeOf({ value }: Contribution<PromptVariables>): string | undefined {
  try {
    const type: unknown = value.type;
    return typeof type === "string" && /^[A-Za-z0-9_]{1,100}$/.test(type) ? type : undefined;
  } catch {
    return undefined;
  }
}
