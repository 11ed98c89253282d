import type { HostDefaults } from "@incipit/service-contract";
import type { GivenDefaults } from "./host-options.ts";

/** Nobody who is told changes it for the others. */
export function hostDefaults({ profiles = [], ...given }: GivenDefaults): HostDefaults {
  return Object.freeze({
    cwd: process.cwd(),
    promptRefresh: "compaction",
    ...given,
    profiles: Object.freeze(profiles.map((profile) => Object.freeze({ ...profile }))),
  });
}
