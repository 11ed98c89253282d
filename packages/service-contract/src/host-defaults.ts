import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** A named agent of the configuration. */
export interface Profile {
  /** As conversations name it. */
  readonly name: string;
  /** PROVIDER/MODEL; absent: the host's default. */
  readonly model?: string;
  /** A template that stands in place of the host's own. */
  readonly systemPrompt?: string;
}

/**
 * What conversations begin with that say nothing else, as the operator configured it. The host tells it once and keeps to it
 * for as long as it runs.
 */
export interface HostDefaults {
  /** PROVIDER/MODEL. */
  readonly model: string;
  /** Working folder; absolute. */
  readonly cwd: string;
  /** The configured template; absent: the configuration has none. A stored one wins over it. */
  readonly systemPrompt?: string;
  /** When a conversation's prompt is built anew: at each compaction, or on each turn. */
  readonly promptRefresh: "compaction" | "turn";
  /** Their names differ. */
  readonly profiles: readonly Profile[];
}

export const hostDefaultsHandle: ServiceHandle<HostDefaults> = defineHandle<HostDefaults>("host-defaults@1", {
  model: "string",
  cwd: "string",
  systemPrompt: "string?",
  promptRefresh: "string",
  profiles: "list",
});
