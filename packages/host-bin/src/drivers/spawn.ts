import { KernelError, type Clock, type Spawn, type SpawnOptions, type SpawnResult } from "@incipit/kernel";
import { spawn as spawnChild } from "node:child_process";
import { stat } from "node:fs/promises";

const inherited = ["PATH", "HOME", "LANG", "TMPDIR"] as const;

/** Runs programs that were granted, each as a process group of its own, so that its children go with it. */
export function createSpawn(extension: string, grant: true | readonly string[], clock: Clock): Spawn {
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
      if (!isFolder) return { kind: "failed", reason: "cwd-not-found" };
      return run(program, args, options, clock);
    },
  };
}

function run(program: string, args: readonly string[], options: SpawnOptions, clock: Clock): Promise<SpawnResult> {
  const env: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  const child = spawnChild(program, [...args], {
    cwd: options.cwd,
    env: { ...env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // Its own process group: a kill reaches what it started.
  });
  return new Promise((resolve) => {
    const output: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = { stdout: [], stderr: [] };
    let size = 0;
    const kill = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // The group has ended by itself: that is what was wanted.
      }
    };
    const end = (result: SpawnResult): void => {
      cancel();
      options.signal?.removeEventListener("abort", abort);
      if (result.kind === "failed") kill();
      resolve(result);
    };
    const abort = (): void => end({ kind: "failed", reason: "aborted" });
    const cancel = clock.setTimer(() => end({ kind: "failed", reason: "timeout" }), options.timeoutMs);
    options.signal?.addEventListener("abort", abort, { once: true });
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > options.maxOutputBytes) end({ kind: "failed", reason: "too-large" });
        else output[stream].push(chunk);
      });
    }
    child.on("error", (error: NodeJS.ErrnoException) => {
      end({
        kind: "failed",
        reason: error.code === "ENOENT" || error.code === "EACCES" ? "not-installed" : "failed",
        detail: error.message,
      });
    });
    child.on("close", (exitCode, signal) => {
      if (exitCode === null) end({ kind: "failed", reason: "failed", detail: `ended by ${signal ?? "a signal"}` });
      else
        end({
          kind: "exited",
          exitCode,
          stdout: Buffer.concat(output.stdout),
          stderr: Buffer.concat(output.stderr),
        });
    });
  });
}
