import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { acpTool } from "../acp-tools/acp-tools.ts";
import { testedCommand, type CommandResult } from "../support/host-process.ts";
import type { AcpWorld } from "./acp-world.ts";

const program = acpTool("acpx/dist/cli.js");

/** Printed when acpx did not reach the agent because its previous process was ending. */
const again = "QUEUE_OWNER_CLOSED";
/** Printed on a busy machine when acpx cannot verify its own process within a second. */
const unverified = "its process birth identity is unverified";
/** "sessions close" waits without a deadline for that process and for a lock of acpx; once killed, it can run again. */
const closeTimeoutMs = 20_000;
const killedExitCode = 137;

export async function acpx(world: AcpWorld, args: readonly string[]): Promise<CommandResult> {
  for (;;) {
    const result = await run(world, args);
    const isStuck = result.stderr.includes(unverified) || (isClose(args) && result.exitCode === killedExitCode);
    // Otherwise a retry would keep the unverified process alive.
    if (isStuck) await endSessionProcesses(homeOf(world));
    if (!isStuck && !result.stderr.includes(again)) return result;
  }
}

const leaseSchema = z.looseObject({ pid: z.int().positive() });

async function endSessionProcesses(home: string): Promise<void> {
  const folder = join(home, ".acpx/queues");
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".lock")) continue;
    const text = await Bun.file(join(folder, name)).text();
    const { pid } = leaseSchema.parse(JSON.parse(text));
    try {
      process.kill(pid, "SIGKILL");
    } catch {}
  }
}

function homeOf({ options: { data } }: AcpWorld): string {
  return join(data, "../home");
}

async function run(world: AcpWorld, args: readonly string[]): Promise<CommandResult> {
  const { cwd, options } = world;
  const { data, config } = options;
  const agent = [...testedCommand, "acp", "--data", data, "--config", config];
  // acpx keeps a process per session, which "sessions close" ends. Its lifetime exceeds a test, because closing a
  // session while its process exits fails at times.
  const child = Bun.spawn([process.execPath, program, "--agent", agent.join(" "), "--ttl", "60", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: homeOf(world), LANG: "C.UTF-8" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    ...(isClose(args) ? { timeout: closeTimeoutMs, killSignal: "SIGKILL" } : {}),
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

function isClose(args: readonly string[]): boolean {
  return args.join(" ") === "sessions close";
}
