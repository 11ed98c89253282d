import type { Extension, Grant, KernelOptions, ReservedNames } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";
import type { HostDefaults } from "@incipit/service-contract";
import type { Config, ConfigSchema } from "../configuration/config-schema.ts";
import type { LogLevel } from "../drivers/log.ts";
import type { ConfiguredProxies } from "../drivers/net/proxies.ts";

/** Facts of a running host, for the settings of built-in extensions. */
export interface HostFacts {
  /** Absolute path for the data. */
  readonly databasePath: string;
  /** Token that authenticates clients. */
  readonly token: string;
  /** Values that must not be stored. A new array once values are added. */
  readonly secrets: readonly string[];
}

export interface BuiltInExtension {
  readonly extension: Extension;
  /** Returns its settings on each start; none if absent. */
  readonly settings?: (facts: HostFacts) => unknown;
  /** The manifest's requests if absent. */
  readonly grant?: Grant;
  /** Listed, but started only on request. */
  readonly isDisabled?: boolean;
  /**
   * Starts programs directly, without isolation from the host's data and without ending them when the host is killed.
   * For harmless programs, such as `git` with fixed arguments.
   */
  readonly startsProgramsDirectly?: boolean;
}

/** Defaults: the process's working folder, a prompt rebuilt at each compaction, no template, no profiles. */
export type GivenDefaults = Pick<HostDefaults, "model"> & Partial<HostDefaults>;

export interface HostOptions {
  /** Absolute path; created if missing. Held by one host at a time. */
  readonly dataFolder: string;
  /**
   * Built-in extensions, each of which can be stopped and swapped. A bare extension gets no settings and all it
   * requests.
   */
  readonly extensions: readonly (Extension | BuiltInExtension)[];
  /** Defaults of conversations; without them the host lacks `host-defaults@1`, and conversations wait for it. */
  readonly defaults?: GivenDefaults;
  /** Extensions from folders, in addition to those added to the data folder. */
  readonly folders?: {
    /** Absolute. */
    readonly paths: readonly string[];
    /** Ids that are listed but not started. */
    readonly disabled: readonly string[];
  };
  /**
   * Id of the storage extension; other storage drivers stay stopped. Defaults to the built-in one, even if folders
   * bring others.
   */
  readonly storageDriver?: string;
  /**
   * Returns the settings of an extension from a folder, each time its code was read; none if absent. Throwing
   * prevents the start.
   */
  readonly settings?: (extension: Extension) => unknown;
  /** Configuration to display; without it the host lacks `host-configuration@1` and `trusted-folders@1`. */
  readonly configuration?: { readonly config: Config; readonly schema: ConfigSchema };
  /** Variables that extensions can be granted; none if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** No log if absent. */
  readonly writeLog?: (line: string) => void;
  /** `info` if absent. */
  readonly logLevel?: LogLevel;
  /** Returns the proxies of an extension's requests; the variables of `env` if absent. */
  readonly proxies?: (extension: string) => ConfiguredProxies;
  /** Reserved names at extension points; none if absent. */
  readonly reserved?: ReservedNames;
  /** Values that must not be stored, in addition to the token and the variables given to extensions. */
  readonly secrets?: readonly string[];
  /** Recognizes secrets by their format; well-known formats if absent. */
  readonly redactor?: Redactor;
  /** Whether tool programs are isolated from the data folder; `true` if absent. */
  readonly areProgramsConfined?: boolean;
  /** Called with the ids of all extensions, without `folders`, before any starts. Throwing aborts the start. */
  readonly checkIds?: (ids: readonly string[]) => void;
  /**
   * Called before any extension runs, to install handlers for uncaught errors. `attribute` records an error in the
   * health of the extension that threw it and returns `false` if no extension can be the source. `redact` removes
   * secrets from a message.
   */
  readonly catchUncaught?: (attribute: (error: unknown) => boolean, redact: (text: string) => string) => void;
  /** Deadlines of the kernel; its own defaults if absent. */
  readonly timeouts?: Omit<KernelOptions, "drivers">;
}
