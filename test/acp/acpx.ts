import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { acpTool } from "../acp-tools/acp-tools.ts";
import { testedCommand, type CommandResult } from "../support/host-process.ts";
import type { AcpWorld } from "./acp-world.ts";

const program = acpTool("acpx/dist/cli.js");

/** Longer than a test: acpx refuses prompts while its idle session process exits. */
const sessionProcessIdleSeconds = "600";

/** Runs one acpx command. A prompt to a saved session leaves a session process behind; see {@link endAcpxSessions}. */
export async function acpx({ cwd, options }: AcpWorld, args: readonly string[]): Promise<CommandResult> {
  const agent = [...testedCommand, "acp", "--data", options.data, "--config", options.config].join(" ");
  const flags = ["--agent", agent, "--ttl", sessionProcessIdleSeconds];
  const child = Bun.spawn([process.execPath, program, ...flags, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: homeOf(options.data), LANG: "C.UTF-8" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

const leaseSchema = z.looseObject({ pid: z.int().positive() });

/**
 * Kills the session processes of acpx. `acpx sessions close` would not do: it waits without a deadline where process 1
 * does not reap orphans, because acpx 0.19.1 treats a zombie as neither running nor gone.
 */
export async function endAcpxSessions({ options }: AcpWorld): Promise<void> {
  const folder = join(homeOf(options.data), ".acpx/queues");
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".lock")) continue;
    const { pid } = leaseSchema.parse(await Bun.file(join(folder, name)).json());
    process.kill(pid, "SIGKILL");
  }
}

function homeOf(data: string): string {
  return join(data, "../home");
}
