import type { Clock, ProgramEnd, ProgramStart, RunningProgram } from "@incipit/kernel";
import { spawn as spawnChild, type ChildProcessWithoutNullStreams } from "node:child_process";
import { errorMessage } from "./error-code.ts";
import { isMissingProgram } from "./missing-program.ts";
import { signalGroup } from "./process-group.ts";

/** Between the end of stdin, SIGTERM and SIGKILL, each. */
const stopStepMs = 700;
/** A killed process that hangs in the system cannot be waited for any longer. */
const killTimeoutMs = 500;

export interface StartProgram {
  /** Absolute path of the program, and what it is given. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** Starts a program to talk with, in a process group of its own. */
export function startProgram({ command, cwd, env, clock }: StartProgram): Promise<ProgramStart> {
  const [file, ...args] = command;
  const child = spawnChild(file, args, { cwd, env: { ...env }, stdio: "pipe", detached: true });
  return new Promise((resolve) => {
    child.once("error", (error) => {
      const reason = isMissingProgram(error) ? "not-installed" : "failed";
      resolve({ kind: "failed", reason, detail: errorMessage(error) });
    });
    child.once("spawn", () => resolve({ kind: "started", program: running(child, clock) }));
  });
}

function running(child: ChildProcessWithoutNullStreams, clock: Clock): RunningProgram {
  const { stdin, stdout, stderr } = child;
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => undefined); // Whoever uses it is told.
  let hasEnded = false;
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once("exit", (exitCode, signal) => {
      hasEnded = true;
      signalGroup(child.pid, "SIGKILL"); // What it left behind would hold the pipes open, and outlive it.
      resolve({ exitCode, signal });
    });
  });
  const endsWithin = (timeoutMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel = clock.setTimer(() => resolve(hasEnded), timeoutMs);
      void ended.then(() => {
        cancel();
        resolve(true);
      });
    });
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stdin.end();
    if (await endsWithin(stopStepMs)) return;
    signalGroup(child.pid, "SIGTERM");
    if (await endsWithin(stopStepMs)) return;
    signalGroup(child.pid, "SIGKILL");
    await endsWithin(killTimeoutMs);
  };
  return {
    stdout,
    stderr,
    ended,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stdin.write(bytes, (error) => {
          if (error === undefined || error === null) resolve();
          else reject(error);
        });
      }),
    stop: () => (stopping ??= stop()),
  };
}
