import { join } from "node:path";
import { acpTool } from "../acp-tools.ts";
import { testedCommand, type CommandResult } from "../host-process.ts";
import type { AcpWorld } from "./acp-world.ts";

const program = acpTool("acpx/dist/cli.js");

/** What acpx says when it has asked the agent nothing: its process of the prompt before was ending at this moment. */
const again = "QUEUE_OWNER_CLOSED";
/**
 * What it says of its process when, on a busy machine, it could not tell within a second which one that is. It says so for
 * good then, and asking again keeps the process; it is ended as by a person who reads this.
 */
const unverified = /queue owner pid (\d+): its process birth identity is unverified/;
/** "sessions close" waits without a deadline for a lock of acpx; killed, it can be run again. */
const closeTimeoutMs = 20_000;
/** 128 and the number of SIGKILL. */
const killedExitCode = 137;

/** Runs acpx, a client of the protocol that others wrote, with this host as its agent, and waits for its end. */
export async function acpx(world: AcpWorld, args: readonly string[]): Promise<CommandResult> {
  for (;;) {
    const result = await run(world, args);
    const [, pid] = unverified.exec(result.stderr) ?? [];
    if (pid !== undefined) endProcess(Number(pid));
    const isKilled = isClose(args) && result.exitCode === killedExitCode;
    if (pid === undefined && !isKilled && !result.stderr.includes(again)) return result;
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It has ended by itself.
  }
}

async function run({ cwd, options: { data, config } }: AcpWorld, args: readonly string[]): Promise<CommandResult> {
  const agent = [...testedCommand, "acp", "--data", data, "--config", config];
  // A process of its own keeps the session behind each prompt, and "sessions close" ends it. It lives longer than a test
  // (closing a session in the moment that its process ends by itself fails at times), and no longer where a test failed.
  const child = Bun.spawn([process.execPath, program, "--agent", agent.join(" "), "--ttl", "60", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: join(data, "../home"), LANG: "C.UTF-8" },
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
