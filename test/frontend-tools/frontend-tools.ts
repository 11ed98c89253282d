import { runProgram, type RunOptions } from "@incipit/publish/run-program";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** From npm at pinned versions. */
const folder = join(import.meta.dir, "node_modules");

export function frontendTools(): string {
  if (existsSync(folder)) return folder;
  throw new Error('The tools are not installed; "bun run check" does it, or "bun run frontend-tools"');
}

export function runTool(command: readonly string[], { env, ...options }: RunOptions): Promise<string> {
  return runProgram(command, { ...options, env: { ...process.env, ...env, DO_NOT_TRACK: "1" } });
}
