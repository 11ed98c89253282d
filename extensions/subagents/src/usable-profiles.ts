import type { HostDefaults } from "@incipit/service-contract";
import type { AllowedTools } from "./fewer-tools.ts";

/** A profile that a task may be given to. */
export interface UsableProfile {
  readonly name: string;
  /** The tools that it may use; `null`: all of them. */
  readonly tools: AllowedTools;
}

/** Sorted by name: the tool's description has them, and two hosts write the same one. */
export function usableProfiles(
  { profiles }: Pick<HostDefaults, "profiles">,
  names: readonly string[] | undefined,
): readonly UsableProfile[] {
  return profiles
    .filter(({ name }) => names?.includes(name) ?? true)
    .map(({ name }) => ({ name, tools: null }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
