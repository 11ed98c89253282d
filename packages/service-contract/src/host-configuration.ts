import { defineHandle, type JsonValue, type ServiceHandle } from "@incipit/kernel";

/** Origin of a configuration value. */
export type KeyOrigin =
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  /** Environment variable. */
  | { readonly kind: "variable"; readonly name: string }
  /** Command-line flag. */
  | { readonly kind: "flag"; readonly name: string }
  /** Built-in default. */
  | { readonly kind: "default" }
  /** Not set, without a default. */
  | { readonly kind: "not-set" };

/** Effective value of a configuration key. */
export interface ConfiguredKey {
  /** Path from the root of the file, such as `["listen", "port"]`. */
  readonly path: readonly string[];
  /** Redacted; `null` if not set. */
  readonly value: JsonValue;
  readonly origin: KeyOrigin;
  /** Whether secrets were removed from `value`. */
  readonly isRedacted: boolean;
}

/** Configuration of the running host, fixed at startup. */
export interface HostConfiguration {
  /** Lists known keys and all keys that were set, sorted by name. */
  keys(): Promise<readonly ConfiguredKey[]>;
}

export const hostConfigurationHandle: ServiceHandle<HostConfiguration> = defineHandle<HostConfiguration>(
  "host-configuration@1",
  { keys: "function" },
);
