import type { Capabilities } from "./capabilities.ts";
import type { ContractId } from "./handle.ts";
import type { Host } from "./host.ts";

export interface Manifest {
  readonly id: string;
  readonly version: string;
  /** Range of kernel API versions, such as `^1`. */
  readonly api: string;
  readonly capabilities?: Capabilities;
  readonly dependsOn?: { readonly required?: readonly ContractId[]; readonly optional?: readonly ContractId[] };
  readonly provides?: readonly ContractId[];
  /** Extension points that it adds to. */
  readonly contributes?: readonly ContractId[];
  /** Extension points that it reads. */
  readonly reads?: readonly ContractId[];
  /** `exclusive`: it owns a port or a lock, so that two generations cannot run side by side. */
  readonly swap?: "overlap" | "exclusive";
}

export type Activate = (host: Host) => void | Promise<void>;

export interface Extension {
  readonly manifest: Manifest;
  readonly activate: Activate;
}

export function defineExtension(manifest: Manifest, activate: Activate): Extension {
  return { manifest, activate };
}
