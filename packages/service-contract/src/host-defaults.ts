import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ProfileBudget, ProfileTools, TurnSettings } from "@incipit/schema";

/** A named agent. */
export interface Profile {
  /** As conversations name it. */
  readonly name: string;
  /** When to take it, for people and for models that choose. */
  readonly description?: string;
  /** PROVIDER/MODEL; absent: the host's default. */
  readonly model?: string;
  /** A template that stands in place of the host's own. */
  readonly systemPrompt?: string;
  /** A template behind the base text, whoever's that is. */
  readonly append?: string;
  /** What its conversations have of tools from their beginning on; absent: all of them. */
  readonly tools?: ProfileTools;
  /** The servers of tools whose tools its conversations have; absent: all of them. */
  readonly mcpServers?: readonly string[];
  /** The skills that its conversations are told of and can open; absent: all of them. */
  readonly skills?: readonly string[];
  /** What each model call of its conversations asks for, from their beginning on. */
  readonly settings?: TurnSettings;
  /** What its turns may cost on one day that no person has asked for. */
  readonly budget?: ProfileBudget;
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
