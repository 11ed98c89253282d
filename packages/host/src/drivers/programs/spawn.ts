import { absoluteFolders } from "@incipit/common/system";
import { KernelError, type Clock, type Spawn, type SpawnOptions, type SpawnResult } from "@incipit/kernel";
import { stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { signalGroup } from "./process-group.ts";
import type { Program } from "./launcher.ts";
import type { Programs } from "./programs.ts";
import { startChild } from "./start-child.ts";
import { startProgram } from "./start-program.ts";

const isWindows = process.platform === "win32";
/** In addition to `PATH`. Windows programs depend on several. */
const inherited = (
  isWindows
    ? "HOME LANG TEMP TMP SystemRoot SystemDrive ComSpec PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ProgramData ProgramFiles"
    : "HOME LANG TMPDIR"
).split(" ");
/** For a killed process that hangs in the kernel. */
const killTimeoutMs = 500;

export interface SpawnDriverOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** If absent, programs run unconfined, and only their process group is killed. */
  readonly programs?: Programs | undefined;
}

/**
 * Searches the absolute folders of `PATH`, never the working folder. When a result is returned, the process group has
 * ended; with `programs`, also processes that left it.
 */
export function createSpawn(
  extension: string,
  grant: true | readonly string[],
  { clock, env, programs }: SpawnDriverOptions,
): Spawn {
  const searchPath = absoluteFolders(isWindows ? withGit(env) : env["PATH"]);
  const base: Record<string, string> = { PATH: searchPath };
  for (const name of inherited) {
    const value = env[name];
    if (value !== undefined) base[name] = value;
  }
  /** @throws {KernelError} `CAPABILITY_DENIED` if not granted. */
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
    if (file === null || (!isAbsolute(program) && (program.includes("/") || program.includes(sep))))
      return { kind: "failed", reason: "not-installed", detail: program };
    return { kind: "located", file };
  };
  return {
    async run(program, args, options) {
      const located = await locate(program, options.cwd);
      if (options.signal?.aborted === true) return { kind: "failed", reason: "aborted" };
      if (located.kind === "failed") return located;
      const command = [located.file, ...args] as const;
      const found: Program = { command, cwd: options.cwd, env: { ...base, ...options.env } };
      return run(found, options, { clock, programs });
    },
    async start(program, args, { cwd, env: added }) {
      const located = await locate(program, cwd);
      if (located.kind === "failed") return located;
      return startProgram(
        { command: [located.file, ...args], cwd, env: { ...base, ...added } },
        { clock, programs },
      );
    },
  };
}

/** Git for Windows includes `sh` but does not add it to `PATH` by default. */
function withGit(env: SpawnDriverOptions["env"]): string {
  const programs = env["ProgramFiles"] ?? "C:\\Program Files";
  return [env["PATH"] ?? env["Path"] ?? "", join(programs, "Git", "bin")].join(delimiter);
}

type LocatedProgram =
  | { readonly kind: "located"; readonly file: string }
  | { readonly kind: "failed"; readonly reason: "not-installed" | "cwd-not-found"; readonly detail: string };

async function run(
  program: Program,
  options: Omit<SpawnOptions, "env">,
  { clock, programs }: Pick<SpawnDriverOptions, "clock" | "programs">,
): Promise<SpawnResult> {
  const started = await (programs ?? { start: startChild }).start(program, { stdin: "ignore" });
  const { child } = started;
  return new Promise((resolve) => {
    const output = { stdout: new Array<Buffer>(), stderr: new Array<Buffer>() };
    let sizeBytes = 0;
    let droppedBytes = 0;
    let failure: SpawnResult | undefined;

    const printed = (): Pick<SpawnResult & { readonly kind: "exited" }, "stdout" | "stderr" | "droppedBytes"> => ({
      stdout: Buffer.concat(output.stdout),
      stderr: Buffer.concat(output.stderr),
      ...(droppedBytes === 0 ? {} : { droppedBytes }),
    });
    const settle = (result: SpawnResult): void => {
      cancelTimer();
      options.signal?.removeEventListener("abort", abort);
      resolve(result);
    };
    const fail = (reason: "aborted" | "timeout" | "too-large"): void => {
      if (failure !== undefined) return;
      const result = { kind: "failed", reason, ...printed() } as const;
      failure = result;
      signalGroup(child.pid, "SIGKILL");
      started.stdout.destroy();
      started.stderr.destroy();
      cancelTimer();
      cancelTimer = clock.setTimer(() => settle(result), killTimeoutMs);
    };
    const abort = (): void => fail("aborted");
    let cancelTimer = clock.setTimer(() => fail("timeout"), options.timeoutMs);
    options.signal?.addEventListener("abort", abort, { once: true });
    if (options.signal?.aborted === true) abort();

    for (const stream of ["stdout", "stderr"] as const) {
      started[stream].on("data", (chunk: Buffer) => {
        if (stream === "stdout" && failure === undefined) options.onOutput?.(chunk);
        const room = options.maxOutputBytes - sizeBytes;
        if (chunk.length <= room || options.overflow === "drop") {
          const kept = chunk.subarray(0, room);
          sizeBytes += kept.length;
          droppedBytes += chunk.length - kept.length;
          if (kept.length > 0) output[stream].push(kept);
        } else fail("too-large");
      });
    }
    void started.problem.then((problem) => {
      if (problem !== undefined) settle(problem);
    });
    const endGroup = async (): Promise<void> => {
      signalGroup(child.pid, "SIGKILL"); // Leftovers would hold the pipes open and outlive the call.
      await programs?.endLeftovers();
      if (failure !== undefined) settle(failure);
    };
    let groupEnd: Promise<void> | undefined;
    child.on("exit", () => {
      groupEnd = endGroup();
    });
    const finish = async (exitCode: number | null, signal: string | null): Promise<void> => {
      await Promise.all([groupEnd, started.problem]);
      if (failure !== undefined) return;
      if (exitCode === null)
        settle({ kind: "failed", reason: "failed", detail: `ended by ${signal ?? "a signal"}`, ...printed() });
      else settle({ kind: "exited", exitCode, ...printed() });
    };
    child.on("close", (exitCode, signal) => void finish(exitCode, signal));
  });
}
