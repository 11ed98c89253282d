import { join } from "node:path";
import { acpTool } from "../acp-tools.ts";
import { testedCommand, type CommandResult } from "../host-process.ts";
import type { AcpWorld } from "./acp-world.ts";

const program = acpTool("acpx/dist/cli.js");

/**
 * What acpx says when it has asked the agent nothing and is to be run again: its process of the prompt before was ending
 * at this moment, or it could not tell within two seconds, on a busy machine, whether a process is the one it began.
 */
const again = ["QUEUE_OWNER_CLOSED", "its process birth identity is unverified"];

/** "sessions close" waits without a deadline for a lock of acpx; killed, it can be run again. */
const closeTimeoutMs = 20_000;
/** 128 and the number of SIGKILL. */
const killedExitCode = 137;

/** Runs acpx, a client of the protocol that others wrote, with this host as its agent, and waits for its end. */
export async function acpx(world: AcpWorld, args: readonly string[]): Promise<CommandResult> {
  for (;;) {
    const result = await run(world, args);
    const isKilled = isClose(args) && result.exitCode === killedExitCode;
    if (!isKilled && !again.some((words) => result.stderr.includes(words))) return result;
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
