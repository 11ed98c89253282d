import type { Capabilities } from "./capabilities.ts";
import { effectiveGrant } from "./effective-grant.ts";
import type { Activate, Manifest } from "./extension.ts";
import type { LoadRequest, Trust } from "./kernel.ts";
import { KernelError } from "./kernel-error.ts";
import { parseManifest } from "./manifest.ts";
import type { ServiceRegistry } from "./service-registry.ts";

/** Code that can be started, and what it gets. */
export interface Definition {
  readonly manifest: Manifest;
  readonly activate: Activate;
  readonly granted: Capabilities;
  readonly trust: Trust;
  readonly onTakeOver: (() => void) | undefined;
}

/** @throws {KernelError} `MANIFEST_INVALID`, `API_MISMATCH`; `DUPLICATE_SERVICE` for a service of the host itself. */
export function define(
  { extension, grant, trust = "core", onTakeOver }: LoadRequest,
  registry: ServiceRegistry,
): Definition {
  const manifest = parseManifest(extension.manifest);
  const asked = manifest.capabilities ?? {};
  const taken = manifest.provides?.find((service) => registry.isOwn(service));
  if (taken !== undefined) {
    const message = `Cannot load "${manifest.id}": the host itself provides "${taken}"; take it out of provides`;
    throw new KernelError("DUPLICATE_SERVICE", message, { extension: manifest.id });
  }
  const granted = effectiveGrant(asked, grant ?? asked);
  return { manifest, activate: extension.activate, granted, trust, onTakeOver };
}
