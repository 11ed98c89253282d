import type { HostDefaults } from "@incipit/service-contract";
import type { GivenDefaults } from "./host-options.ts";

export function hostDefaults({ profiles = [], ...given }: GivenDefaults): HostDefaults {
  return Object.freeze({
    cwd: process.cwd(),
    promptRefresh: "compaction",
    ...given,
    profiles: frozen(structuredClone(profiles)),
  });
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
