import { join } from "node:path";
import { acpTool } from "../acp-tools.ts";
import { testedCommand, type CommandResult } from "../host-process.ts";
import type { AcpWorld } from "./acp-world.ts";

const program = acpTool("acpx/dist/cli.js");

/** Runs acpx, a client of the protocol that others wrote, with this host as its agent, and waits for its end. */
export async function acpx(world: AcpWorld, args: readonly string[]): Promise<CommandResult> {
  for (;;) {
    const result = await run(world, args);
    // Its process of the prompt before was ending at this moment, and it has asked nothing.
    if (!result.stderr.includes("QUEUE_OWNER_CLOSED")) return result;
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
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
