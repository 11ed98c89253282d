import type { Extension, Grant, KernelOptions, ReservedNames } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";
import type { HostDefaults } from "@incipit/service-contract";
import type { Config, ConfigSchema } from "../configuration/config-schema.ts";
import type { LogLevel } from "../drivers/log.ts";
import type { ConfiguredProxies } from "../drivers/net/proxies.ts";

export interface HostFacts {
  readonly databasePath: string;
  readonly token: string;
  /** A new array once values are added. */
  readonly secrets: readonly string[];
}

export interface BuiltInExtension {
  readonly extension: Extension;
  /** Called on each start. */
  readonly settings?: (facts: HostFacts) => unknown;
  /** The manifest's requests if absent. */
  readonly grant?: Grant;
  /** Listed, but started only on request. */
  readonly isDisabled?: boolean;
  /**
   * Programs are not isolated from the host's data, nor ended when the host is killed. For harmless programs, such as
   * `git` with fixed arguments.
   */
  readonly startsProgramsDirectly?: boolean;
}

/** Defaults: the process's working folder, a prompt rebuilt at each compaction, no template, no profiles. */
export type GivenDefaults = Pick<HostDefaults, "model"> & Partial<HostDefaults>;

export interface HostOptions {
  /** Absolute path; created if missing. Held by one host at a time. */
  readonly dataFolder: string;
  /** A bare extension gets no settings and all it requests. */
  readonly extensions: readonly (Extension | BuiltInExtension)[];
  /** Without them the host lacks `host-defaults@1`, and conversations wait for it. */
  readonly defaults?: GivenDefaults;
  /** In addition to those added to the data folder. */
  readonly folders?: {
    readonly paths: readonly string[];
    /** Listed but not started. */
    readonly disabled: readonly string[];
  };
  /** Id; other storage drivers stay stopped. Defaults to the built-in one, even if folders bring others. */
  readonly storageDriver?: string;
  /** For extensions from folders, each time their code was read. Throwing prevents the start. */
  readonly settings?: (extension: Extension) => unknown;
  /** Without it the host lacks `host-configuration@1` and `trusted-folders@1`. */
  readonly configuration?: { readonly config: Config; readonly schema: ConfigSchema };
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly writeLog?: (line: string) => void;
  /** Defaults to `info`. */
  readonly logLevel?: LogLevel;
  /** By extension; the variables of `env` if absent. */
  readonly proxies?: (extension: string) => ConfiguredProxies;
  readonly reserved?: ReservedNames;
  /** Values that must not be stored, in addition to the token and the variables given to extensions. */
  readonly secrets?: readonly string[];
  /** Recognizes well-known formats if absent. */
  readonly redactor?: Redactor;
  /** Isolates tool programs from the data folder. Defaults to `true`. */
  readonly areProgramsConfined?: boolean;
  /** Called before any extension starts, with all ids except those of `folders`. Throwing aborts the start. */
  readonly checkIds?: (ids: readonly string[]) => void;
  /**
   * Called before any extension runs, to install handlers for uncaught errors. `attribute` records an error in the
   * health of the extension that threw it and returns `false` if none can be the source. `redact` removes secrets from
   * a message.
   */
  readonly catchUncaught?: (attribute: (error: unknown) => boolean, redact: (text: string) => string) => void;
  readonly timeouts?: Omit<KernelOptions, "drivers">;
}
