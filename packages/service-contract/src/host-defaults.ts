import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ProfileBudget, ProfileTools, TurnSettings } from "@incipit/schema";

/** A named agent. */
export interface Profile {
  readonly name: string;
  /** When to use the agent, for users and for models that select one. */
  readonly description?: string;
  /** PROVIDER/MODEL. Defaults to the host's default. */
  readonly model?: string;
  /** Template that replaces the host's. */
  readonly systemPrompt?: string;
  /** Template appended to the base prompt. */
  readonly append?: string;
  /** Tools of its conversations, fixed at their start. Defaults to all. */
  readonly tools?: ProfileTools;
  /** MCP servers whose tools its conversations have. Defaults to all. */
  readonly mcpServers?: readonly string[];
  /** Skills available to its conversations. Defaults to all. */
  readonly skills?: readonly string[];
  /** Model settings of its conversations, fixed at their start. */
  readonly settings?: TurnSettings;
  /** Daily budget of its autonomous turns. */
  readonly budget?: ProfileBudget;
}

/** Configured defaults for new conversations, fixed while the host runs. */
export interface HostDefaults {
  /** PROVIDER/MODEL. */
  readonly model: string;
  /** Absolute working folder. */
  readonly cwd: string;
  /** Template of the configuration, if any. A stored template takes precedence. */
  readonly systemPrompt?: string;
  /** When a conversation's prompt is constructed again: at each compaction, or on each turn. */
  readonly promptRefresh: "compaction" | "turn";
  /** Names are unique. */
  readonly profiles: readonly Profile[];
}

export const hostDefaultsHandle: ServiceHandle<HostDefaults> = defineHandle<HostDefaults>("host-defaults@1", {
  model: "string",
  cwd: "string",
  systemPrompt: "string?",
  promptRefresh: "string",
  profiles: "list",
});
