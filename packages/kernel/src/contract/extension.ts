import type { Capabilities } from "./capabilities.ts";
import type { Configuration } from "./configuration.ts";
import type { ContractId } from "./handle.ts";
import type { Host } from "./host.ts";
import { parseManifest } from "./manifest.ts";

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
  /**
   * By table of the configuration: the kinds of entries that it serves. `{ providers: ["acme"] }` makes it the one that
   * answers for `[providers.NAME]` with `kind = "acme"`.
   */
  readonly kinds?: Readonly<Record<string, readonly string[]>>;
  /** `exclusive`: it owns a port or a lock, so that two generations cannot run side by side. */
  readonly swap?: "overlap" | "exclusive";
}

/** Opens what the extension needs and offers what it has. Whatever it throws is why it did not start; nothing of it is left then. */
export type Activate = (host: Host) => void | Promise<void>;

export interface Extension {
  readonly manifest: Manifest;
  readonly activate: Activate;
  /** Absent: the host checks nothing of what is configured for it; its own `host.config(schema)` does. */
  readonly configuration?: Configuration;
}

export interface ExtensionOptions<Settings> {
  readonly configuration: Configuration<Settings>;
}

/**
 * What an author imports from `package.json`: the manifest is its key `incipit`, and is written nowhere else. The version is
 * that of the package where the key has none.
 */
interface PackageWithManifest {
  readonly version?: string;
  readonly incipit: object;
}

/** @throws {KernelError} `MANIFEST_INVALID`, `API_MISMATCH`, for what `package.json` says. */
export function defineExtension(manifest: Manifest | PackageWithManifest, activate: Activate): Extension;
/** `activate` gets what is configured, checked and with its defaults. */
export function defineExtension<Settings>(
  manifest: Manifest | PackageWithManifest,
  options: ExtensionOptions<Settings>,
  activate: (host: Host, settings: Settings) => void | Promise<void>,
): Extension;
export function defineExtension<Settings>(
  given: Manifest | PackageWithManifest,
  ...rest:
    | readonly [Activate]
    | readonly [ExtensionOptions<Settings>, (host: Host, settings: Settings) => void | Promise<void>]
): Extension {
  const manifest = "incipit" in given ? manifestOfPackage(given) : given;
  if (rest.length === 1) return { manifest, activate: rest[0] };
  const [{ configuration }, activate] = rest;
  return { manifest, configuration, activate: (host) => activate(host, host.config(configuration.schema)) };
}

function manifestOfPackage({ version, incipit }: PackageWithManifest): Manifest {
  return parseManifest({ ...(version === undefined ? {} : { version }), ...incipit });
}
