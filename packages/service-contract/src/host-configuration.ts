import { defineHandle, type JsonValue, type ServiceHandle } from "@incipit/kernel";

/** Where the value of a key was written. */
export type KeyOrigin =
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  /** A variable of the environment. */
  | { readonly kind: "variable"; readonly name: string }
  /** A flag of the command line. */
  | { readonly kind: "flag"; readonly name: string }
  /** Nowhere: it is what holds without a word. */
  | { readonly kind: "default" }
  /** Nowhere, and nothing holds. */
  | { readonly kind: "not-set" };

/** A key of the configuration, as it is in force. */
export interface ConfiguredKey {
  /** From the top of the file, such as `["listen", "port"]`. */
  readonly path: readonly string[];
  /** Without the secrets in it; `null`: nothing is set. */
  readonly value: JsonValue;
  readonly origin: KeyOrigin;
  /** Something was left out of `value`. */
  readonly isRedacted: boolean;
}

/** What the host was started with. It keeps to that for as long as it runs. */
export interface HostConfiguration {
  /** Each key that the host knows, and each that was written, in the order of their names. */
  keys(): Promise<readonly ConfiguredKey[]>;
}

export const hostConfigurationHandle: ServiceHandle<HostConfiguration> = defineHandle<HostConfiguration>(
  "host-configuration@1",
  { keys: "function" },
);
