import { KernelError, type Clock, type Spawn, type SpawnOptions, type SpawnResult } from "@incipit/kernel";
import { spawn as spawnChild, type ChildProcessByStdio } from "node:child_process";
import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { errorCode, errorMessage } from "./error-code.ts";

/** What every child gets of the host's environment, beside `PATH`. */
const inherited = ["HOME", "LANG", "TMPDIR"] as const;
/** A killed process that hangs in the system cannot be waited for any longer. */
const killTimeoutMs = 500;

export interface SpawnDriverOptions {
  readonly clock: Clock;
  /** The host's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs programs that were granted, found in the absolute folders of `PATH`: one in the working folder is never meant.
 * Each is a process group of its own, and the group has ended when the result is given, however the program ended.
 */
export function createSpawn(
  extension: string,
  grant: true | readonly string[],
  { clock, env }: SpawnDriverOptions,
): Spawn {
  const searchPath = (env["PATH"] ?? "")
    .split(":")
    .filter((folder) => isAbsolute(folder))
    .join(":");
  const base: Record<string, string> = { PATH: searchPath };
  for (const name of inherited) {
    const value = env[name];
    if (value !== undefined) base[name] = value;
  }
  return {
    async run(program, args, options) {
      if (grant !== true && !grant.includes(program)) {
        const granted = grant.map((name) => `"${name}"`).join(", ") || "none";
        throw new KernelError(
          "CAPABILITY_DENIED",
          `Cannot spawn "${program}" for "${extension}": granted are ${granted}`,
          { extension },
        );
      }
      if (options.signal?.aborted === true) return { kind: "failed", reason: "aborted" };
      const isFolder = await stat(options.cwd).then(
        (entry) => entry.isDirectory(),
        () => false,
      );
      if (!isFolder) return { kind: "failed", reason: "cwd-not-found", detail: options.cwd };
      const file = isAbsolute(program) ? program : Bun.which(program, { PATH: searchPath });
      if (file === null || (!isAbsolute(program) && program.includes("/")))
        return { kind: "failed", reason: "not-installed", detail: program };
      return run([file, ...args], { ...options, env: { ...base, ...options.env } }, clock);
    },
  };
}

function run(command: readonly [string, ...string[]], options: SpawnOptions, clock: Clock): Promise<SpawnResult> {
  const [file, ...args] = command;
  const child = spawnChild(file, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // A process group of its own: a kill reaches what it started.
  });
  return new Promise((resolve) => {
    const output = { stdout: new Array<Buffer>(), stderr: new Array<Buffer>() };
    let sizeBytes = 0;
    let droppedBytes = 0;
    let failure: SpawnResult | undefined;

    const settle = (result: SpawnResult): void => {
      cancelTimer();
      options.signal?.removeEventListener("abort", abort);
      resolve(result);
    };
    const fail = (reason: "aborted" | "timeout" | "too-large"): void => {
      if (failure !== undefined) return;
      const { stdout, stderr } = output;
      const result = {
        kind: "failed",
        reason,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr),
      } as const;
      failure = result;
      killGroup(child);
      child.stdout.destroy();
      child.stderr.destroy();
      cancelTimer();
      cancelTimer = clock.setTimer(() => settle(result), killTimeoutMs);
    };
    const abort = (): void => fail("aborted");
    let cancelTimer = clock.setTimer(() => fail("timeout"), options.timeoutMs);
    options.signal?.addEventListener("abort", abort, { once: true });

    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].on("data", (chunk: Buffer) => {
        const room = options.maxOutputBytes - sizeBytes;
        if (chunk.length <= room || options.overflow === "drop") {
          const kept = chunk.subarray(0, room);
          sizeBytes += kept.length;
          droppedBytes += chunk.length - kept.length;
          if (kept.length > 0) output[stream].push(kept);
        } else fail("too-large");
      });
    }
    child.on("error", (error) => {
      const isMissing = ["ENOENT", "EACCES", "ENOEXEC"].includes(errorCode(error) ?? "");
      settle({ kind: "failed", reason: isMissing ? "not-installed" : "failed", detail: errorMessage(error) });
    });
    child.on("exit", () => {
      killGroup(child); // What it left behind would hold the pipes open, and outlive the call.
      if (failure !== undefined) settle(failure);
    });
    child.on("close", (exitCode, signal) => {
      if (failure !== undefined) return;
      if (exitCode === null)
        settle({ kind: "failed", reason: "failed", detail: `ended by ${signal ?? "a signal"}` });
      else
        settle({
          kind: "exited",
          exitCode,
          stdout: Buffer.concat(output.stdout),
          stderr: Buffer.concat(output.stderr),
          ...(droppedBytes === 0 ? {} : { droppedBytes }),
        });
    });
  });
}

function killGroup({ pid }: ChildProcessByStdio<null, Readable, Readable>): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended by itself: that is what was wanted.
  }
}
