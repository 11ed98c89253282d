import type { ContractGrants, Grant } from "../contract/capabilities.ts";
import type { Manifest } from "../contract/extension.ts";

/** Returns everything a manifest requests: capabilities, services and extension points. */
export function requestedGrant(manifest: Manifest): Grant {
  return { ...manifest.capabilities, ...requestedContracts(manifest) };
}

export function requestedContracts({ dependsOn = {}, provides, contributes, reads }: Manifest): ContractGrants {
  const uses = [...new Set([...(dependsOn.required ?? []), ...(dependsOn.optional ?? [])])];
  const named = { uses, provides, contributes, reads };
  return Object.fromEntries(Object.entries(named).filter(([, ids]) => ids !== undefined && ids.length > 0));
}
