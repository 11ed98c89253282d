import type { Capabilities } from "./capabilities.ts";
import type { ContractId } from "./handle.ts";
import type { Host } from "./host.ts";

/** What an extension is and asks for: data, checked by `parseManifest` before any of its code runs. */
export interface Manifest {
  /** Lower-case words joined by `-` or `.`, such as `acme.weather`. */
  readonly id: string;
  /** Semantic version, such as `1.2.0`. */
  readonly version: string;
  /** Range of kernel API versions, such as `^1`. */
  readonly api: string;
  readonly capabilities?: Capabilities;
  /** Services that it uses: it waits for those that are required, and lives with the others coming and going. */
  readonly dependsOn?: { readonly required?: readonly ContractId[]; readonly optional?: readonly ContractId[] };
  /** Services that it has to provide before `activate` resolves; no other running extension may provide them. */
  readonly provides?: readonly ContractId[];
  /** Extension points that it adds to. */
  readonly contributes?: readonly ContractId[];
  /** Extension points that it reads. */
  readonly reads?: readonly ContractId[];
  /** `exclusive`: it owns a port or a lock, so that two generations cannot run side by side. */
  readonly swap?: "overlap" | "exclusive";
}

/** Opens what the extension needs and offers what it has. Whatever it throws is why it did not start; nothing of it is left then. */
export type Activate = (host: Host) => void | Promise<void>;

export interface Extension {
  readonly manifest: Manifest;
  readonly activate: Activate;
}

export function defineExtension(manifest: Manifest, activate: Activate): Extension {
  return { manifest, activate };
}
