import { sha256Hex } from "@incipit/common";
import type { WrittenAgent } from "./configuration.ts";

export interface AgentSettings {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  readonly models: readonly string[];
  readonly instructions: WrittenAgent["instructions"];
  readonly instructionsMode: WrittenAgent["instructions_mode"];
  readonly startTimeoutMs: number;
  readonly silenceTimeoutMs: number;
  readonly idleMs: number;
  readonly maxProcesses: number;
}

/** Identifies an agent besides its name. */
export function programHash({ program, args }: Pick<AgentSettings, "program" | "args">): string {
  return sha256Hex(JSON.stringify([program, ...args]));
}

export function toAgentSettings(name: string, written: WrittenAgent): AgentSettings {
  const [program = "", ...args] = written.command;
  return {
    name,
    program,
    args,
    env: written.env,
    cwd: written.cwd,
    model: written.model,
    models: written.models,
    instructions: written.instructions,
    instructionsMode: written.instructions_mode,
    startTimeoutMs: written.start_timeout_seconds * 1_000,
    silenceTimeoutMs: written.silence_timeout_seconds * 1_000,
    idleMs: written.idle_seconds * 1_000,
    maxProcesses: written.max_processes,
  };
}

export function programFolder({ cwd = "/" }: AgentSettings, folder: string): string {
  return cwd === "$cwd" || cwd.startsWith("$cwd/") ? folder + cwd.slice("$cwd".length) : cwd;
}
