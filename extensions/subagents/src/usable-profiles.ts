import type { HostDefaults } from "@incipit/service-contract";
import type { AllowedTools } from "./intersect-tools.ts";

export interface UsableProfile {
  readonly name: string;
  readonly tools: AllowedTools;
}

/** Sorted by name, so that the tool's description is the same on every host. */
export function usableProfiles(
  { profiles }: Pick<HostDefaults, "profiles">,
  names: readonly string[] | undefined,
): readonly UsableProfile[] {
  return profiles
    .filter(({ name }) => names?.includes(name) ?? true)
    .map(({ name }) => ({ name, tools: null }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
