import { KernelError, type Clock, type Spawn, type SpawnOptions, type SpawnResult } from "@incipit/kernel";
import { spawn as spawnChild } from "node:child_process";
import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { errorMessage } from "./error-code.ts";
import { isMissingProgram } from "./missing-program.ts";
import { signalGroup } from "./process-group.ts";
import { startProgram } from "./start-program.ts";

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
  /** The program's file in place of its name. @throws {KernelError} `CAPABILITY_DENIED` for a program not granted. */
  const locate = async (program: string, cwd: string): Promise<LocatedProgram> => {
    if (grant !== true && !grant.includes(program)) {
      const granted = grant.map((name) => `"${name}"`).join(", ") || "none";
      const message = `Cannot spawn "${program}" for "${extension}": granted are ${granted}`;
      throw new KernelError("CAPABILITY_DENIED", message, { extension });
    }
    const isFolder = await stat(cwd).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
    if (!isFolder) return { kind: "failed", reason: "cwd-not-found", detail: cwd };
    const file = isAbsolute(program) ? program : Bun.which(program, { PATH: searchPath });
    if (file === null || (!isAbsolute(program) && program.includes("/")))
      return { kind: "failed", reason: "not-installed", detail: program };
    return { kind: "located", file };
  };
  return {
    async run(program, args, options) {
      const located = await locate(program, options.cwd);
      if (options.signal?.aborted === true) return { kind: "failed", reason: "aborted" };
      if (located.kind === "failed") return located;
      return run([located.file, ...args], { ...options, env: { ...base, ...options.env } }, clock);
    },
    async start(program, args, { cwd, env: added }) {
      const located = await locate(program, cwd);
      if (located.kind === "failed") return located;
      return startProgram({ command: [located.file, ...args], cwd, env: { ...base, ...added }, clock });
    },
  };
}

type LocatedProgram =
  | { readonly kind: "located"; readonly file: string }
  | { readonly kind: "failed"; readonly reason: "not-installed" | "cwd-not-found"; readonly detail: string };

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
      signalGroup(child.pid, "SIGKILL");
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
      const reason = isMissingProgram(error) ? "not-installed" : "failed";
      settle({ kind: "failed", reason, detail: errorMessage(error) });
    });
    child.on("exit", () => {
      signalGroup(child.pid, "SIGKILL"); // What it left behind would hold the pipes open, and outlive the call.
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
