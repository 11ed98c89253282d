import type { Capabilities } from "./capabilities.ts";
import type { Configuration } from "./configuration.ts";
import type { ContractId } from "./handle.ts";
import type { Host } from "./host.ts";
import { parseManifest } from "./manifest.ts";

/** Identity and requirements of an extension. Plain data, validated by `parseManifest` before any of its code runs. */
export interface Manifest {
  /** Lower-case words joined by `-` or `.`, such as `acme.weather`. */
  readonly id: string;
  /** Semantic version, such as `1.2.0`. */
  readonly version: string;
  /** Range of kernel API versions, such as `^1`. */
  readonly api: string;
  readonly capabilities?: Capabilities;
  /** Services that the extension uses. It waits for required services; optional ones may come and go. */
  readonly dependsOn?: { readonly required?: readonly ContractId[]; readonly optional?: readonly ContractId[] };
  /** Services that must be provided before `activate` resolves. A service has one running provider. */
  readonly provides?: readonly ContractId[];
  /** Extension points to which the extension contributes. */
  readonly contributes?: readonly ContractId[];
  /** Extension points that the extension reads. */
  readonly reads?: readonly ContractId[];
  /**
   * By configuration table: the kinds of entries that the extension serves. `{ providers: ["acme"] }` selects it for
   * `[providers.NAME]` with `kind = "acme"`.
   */
  readonly kinds?: Readonly<Record<string, readonly string[]>>;
  /** `exclusive`: the extension owns a port or a lock, so two generations cannot run at the same time. */
  readonly swap?: "overlap" | "exclusive";
}

/**
 * Opens resources and registers services and contributions. An error fails the start, and everything registered is
 * released.
 */
export type Activate = (host: Host) => void | Promise<void>;

export interface Extension {
  readonly manifest: Manifest;
  readonly activate: Activate;
  /** Without it, the host does not validate the configuration; `host.config(schema)` does. */
  readonly configuration?: Configuration;
}

export interface ExtensionOptions<Settings> {
  readonly configuration: Configuration<Settings>;
}

/** An imported `package.json`: its key `incipit` is the manifest, and its version is the default. */
interface PackageWithManifest {
  readonly version?: string;
  readonly incipit: object;
}

/** @throws {KernelError} `MANIFEST_INVALID`, `API_MISMATCH`, for the manifest of a `package.json`. */
export function defineExtension(manifest: Manifest | PackageWithManifest, activate: Activate): Extension;
/** `activate` receives the configuration, validated and with defaults. */
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
