import type { Extension, Grant, KernelOptions, ReservedNames } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";
import type { HostDefaults } from "@incipit/service-contract";
import type { Config, ConfigSchema } from "../configuration/config-schema.ts";
import type { LogLevel } from "../drivers/log.ts";
import type { ConfiguredProxies } from "../drivers/net/proxies.ts";

/** What a host knows of itself, for the settings of what is built into it. */
export interface HostFacts {
  /** Where the data may lie; absolute. */
  readonly databasePath: string;
  /** With which clients prove that they may use the host. */
  readonly token: string;
  /** Values that must not be kept. Another list once there are more. */
  readonly secrets: readonly string[];
}

/** An extension that is built into a host, and what the operator says of it. */
export interface BuiltInExtension {
  readonly extension: Extension;
  /** Gives what it is configured with, at each of its starts; absent: nothing. */
  readonly settings?: (facts: HostFacts) => unknown;
  /** Absent: what its manifest asks for. */
  readonly grant?: Grant;
  /** Known, and not started until somebody loads it. */
  readonly isDisabled?: boolean;
  /**
   * Starts programs as they are: not kept from the host's data, and not ended when the host is killed. For what starts none
   * that could do harm, such as `git` with fixed arguments.
   */
  readonly startsProgramsDirectly?: boolean;
}

/** Absent: this process's working folder, a prompt that is built anew at each compaction, no template, no profiles. */
export type GivenDefaults = Pick<HostDefaults, "model"> & Partial<HostDefaults>;

export interface HostOptions {
  /** Absolute; made when there is none. One host at a time has it. */
  readonly dataFolder: string;
  /** What is built into it, each of which can be stopped and swapped. By itself: without settings, and with what it asks for. */
  readonly extensions: readonly (Extension | BuiltInExtension)[];
  /** What conversations begin with that say nothing else; absent: no `host-defaults@1`, for which conversations would wait. */
  readonly defaults?: GivenDefaults;
  /** Extensions from folders, beside those that were added to the data folder. */
  readonly folders?: {
    /** Absolute. */
    readonly paths: readonly string[];
    /** Ids of those that are known, and not started. */
    readonly disabled: readonly string[];
  };
  /**
   * Id of the extension that stores, of those that could: the others are known, and not started. Absent: that which is built
   * in, whatever folders bring.
   */
  readonly storageDriver?: string;
  /**
   * What an extension from a folder is configured with, asked each time that its code was read; absent: nothing. What it
   * throws is why the extension does not start.
   */
  readonly settings?: (extension: Extension) => unknown;
  /** What it is configured with, for those who show that; absent: no `host-configuration@1` and no `trusted-folders@1`. */
  readonly configuration?: { readonly config: Config; readonly schema: ConfigSchema };
  /** The variables that extensions can be granted; absent: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Absent: nothing is logged. */
  readonly writeLog?: (line: string) => void;
  /** Absent: `info`. */
  readonly logLevel?: LogLevel;
  /** Over which proxies requests of an extension go; absent: as `env` says. */
  readonly proxies?: (extension: string) => ConfiguredProxies;
  /** Whose names at extension points are; absent: anybody's. */
  readonly reserved?: ReservedNames;
  /** Values that must not be kept, beside the token and the variables that extensions are given. */
  readonly secrets?: readonly string[];
  /** Finds what is a secret by its shape; absent: the well-known shapes. */
  readonly redactor?: Redactor;
  /** Whether programs of tools are kept from the data folder; absent: they are. */
  readonly areProgramsConfined?: boolean;
  /** Called with the ids of all extensions but those of `folders`, before any starts. What it throws ends the start. */
  readonly checkIds?: (ids: readonly string[]) => void;
  /**
   * Called before any extension runs, with what notes in an extension's health what it threw where nobody could catch it.
   * That gives `false` for what cannot be an extension's doing. `redact`: a text without secrets, for whoever shows it.
   */
  readonly catchUncaught?: (attribute: (error: unknown) => boolean, redact: (text: string) => string) => void;
  /** Deadlines of the kernel; absent: its own. */
  readonly timeouts?: Omit<KernelOptions, "drivers">;
}
