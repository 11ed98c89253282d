import { runProgram, type RunOptions } from "@incipit/publish/run-program";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** What authors of frontends use, from npm at pinned versions. */
const folder = join(import.meta.dir, "frontend-tools/node_modules");

/** Where the tools lie. @throws when nobody has installed them. */
export function frontendTools(): string {
  if (existsSync(folder)) return folder;
  throw new Error('The tools are not installed; "bun run check" does it, or "bun run frontend-tools"');
}

/** Runs one of them to its end; gives what it prints. @throws with all that it printed when it fails. */
export function runTool(command: readonly string[], { env, ...options }: RunOptions): Promise<string> {
  return runProgram(command, { ...options, env: { ...process.env, ...env, DO_NOT_TRACK: "1" } });
}
