import { requestedContracts, requestedGrant } from "../capability/requested-grant.ts";
import type { Grant } from "../contract/capabilities.ts";
import { effectiveGrant } from "../capability/effective-grant.ts";
import type { Activate, Manifest } from "../contract/extension.ts";
import type { LoadRequest, SwapRequest, Trust } from "../contract/kernel.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { parseManifest } from "../contract/manifest.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";

export interface Definition {
  readonly manifest: Manifest;
  readonly activate: Activate;
  readonly granted: Grant;
  readonly trust: Trust;
  readonly onTakeOver: (() => void) | undefined;
}

export interface DefineOptions {
  readonly registry: ServiceRegistry;
  readonly previous?: Definition;
}

/**
 * Without a grant, the manifest's requests are granted, limited to the grant of `previous`. `core` extensions use the
 * contracts of their manifest without a grant.
 * @throws {KernelError} `MANIFEST_INVALID`, `API_MISMATCH`; `DUPLICATE_SERVICE` for a service of the host.
 */
export function define(request: LoadRequest | SwapRequest, { registry, previous }: DefineOptions): Definition {
  const { extension, grant, trust } = request;
  const manifest = parseManifest(extension.manifest);
  const asked = requestedGrant(manifest);
  const trusted = trust ?? previous?.trust ?? "core";
  const given = grant ?? previous?.granted ?? asked;
  const taken = manifest.provides?.find((service) => registry.isOwn(service));
  if (taken !== undefined) {
    const message = `Cannot load "${manifest.id}": the host itself provides "${taken}"; take it out of provides`;
    throw new KernelError("DUPLICATE_SERVICE", message, { extension: manifest.id });
  }
  return {
    manifest,
    activate: extension.activate,
    granted: effectiveGrant(asked, trusted === "core" ? { ...given, ...requestedContracts(manifest) } : given),
    trust: trusted,
    onTakeOver: "onTakeOver" in request ? request.onTakeOver : undefined,
  };
}
