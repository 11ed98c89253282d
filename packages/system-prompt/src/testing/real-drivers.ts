import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { FileRead, FileSystem, ReadFileOptions, Spawn, SpawnOptions, SpawnResult } from "@incipit/kernel";

/** Reads real files, in as little as the tests need; how files are really opened is the composition root's business. */
export const realFileSystem: Pick<FileSystem, "readFile"> = {
  async readFile(path: string, { cwd, maxBytes }: ReadFileOptions): Promise<FileRead> {
    const target = resolve(cwd, path);
    try {
      await using handle = await open(target);
      const stat = await handle.stat();
      if (!stat.isFile()) return { kind: "absent", reason: "not-a-file" };
      if (stat.size > maxBytes) return { kind: "absent", reason: "too-large" };
      return { kind: "read", bytes: await handle.readFile(), path: target };
    } catch {
      return { kind: "absent", reason: "not-found" };
    }
  },
};

export interface RealSpawnOptions {
  /** Added to every child's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts real programs, and records with which arguments. */
export function realSpawn(
  options: RealSpawnOptions = {},
): Pick<Spawn, "run"> & { readonly calls: (readonly string[])[] } {
  const calls: (readonly string[])[] = [];
  return {
    calls,
    async run(
      program: string,
      args: readonly string[],
      { cwd, env, timeoutMs, signal }: SpawnOptions,
    ): Promise<SpawnResult> {
      calls.push([program, ...args]);
      const base = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" };
      const late = AbortSignal.timeout(timeoutMs);
      try {
        const child = Bun.spawn([program, ...args], {
          cwd,
          env: { ...base, ...options.env, ...env },
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe",
          signal: signal === undefined ? late : AbortSignal.any([late, signal]),
          killSignal: "SIGKILL",
        });
        const [stdout, stderr] = await Promise.all([child.stdout.bytes(), child.stderr.bytes()]);
        const exitCode = await child.exited;
        if (late.aborted) return { kind: "failed", reason: "timeout" };
        if (signal?.aborted === true) return { kind: "failed", reason: "aborted" };
        return { kind: "exited", exitCode, stdout, stderr };
      } catch {
        return { kind: "failed", reason: "not-installed" };
      }
    },
  };
}
