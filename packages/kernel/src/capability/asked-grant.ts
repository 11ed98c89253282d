import type { ContractGrants, Grant } from "../contract/capabilities.ts";
import type { Manifest } from "../contract/extension.ts";

/** What a manifest asks for: its capabilities, and the services and points that it names. */
export function askedGrant(manifest: Manifest): Grant {
  return { ...manifest.capabilities, ...askedContracts(manifest) };
}

/** The services and points that a manifest names; no key where it names none. */
export function askedContracts({ dependsOn = {}, provides, contributes, reads }: Manifest): ContractGrants {
  const uses = [...new Set([...(dependsOn.required ?? []), ...(dependsOn.optional ?? [])])];
  const named = { uses, provides, contributes, reads };
  return Object.fromEntries(Object.entries(named).filter(([, ids]) => ids !== undefined && ids.length > 0));
}
