import { open, realpath } from "node:fs/promises";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import type { FileRead, FileSystem, ReadFileOptions, Spawn, SpawnOptions, SpawnResult } from "@incipit/kernel";

export const realFileSystem: Pick<FileSystem, "readFile"> = {
  async readFile(path: string, { cwd, maxBytes }: ReadFileOptions): Promise<FileRead> {
    try {
      const target = await realpath(resolve(cwd, path));
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

/** By the resolved path, like the default grant. `$cwd` is the call's folder. */
export function grantedFileSystem(...roots: readonly string[]): Pick<FileSystem, "readFile"> {
  return {
    async readFile(path, options) {
      const target = await leadsTo(resolve(options.cwd, path));
      const folders = await Promise.all(
        roots.map((root) => realpath(root === "$cwd" ? options.cwd : root).catch(() => root)),
      );
      return folders.some((root) => isWithin(root, target))
        ? realFileSystem.readFile(path, options)
        : { kind: "absent", reason: "denied" };
    },
  };
}

/** Also resolves missing files. */
async function leadsTo(path: string): Promise<string> {
  return realpath(path).catch(async () =>
    path === "/" ? path : resolve(await leadsTo(resolve(path, "..")), basename(path)),
  );
}

function isWithin(root: string, path: string): boolean {
  const rest = relative(root, path);
  return !isAbsolute(rest) && rest !== ".." && !rest.startsWith(`..${sep}`);
}

export interface RealSpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
}

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
