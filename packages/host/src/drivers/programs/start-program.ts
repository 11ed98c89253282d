import type { Clock, ProgramEnd, ProgramStart, RunningProgram } from "@incipit/kernel";
import { signalGroup } from "./process-group.ts";
import type { Program } from "./launcher.ts";
import type { Programs } from "./programs.ts";
import { startChild, type StartedChild } from "./start-child.ts";

/** Between the end of stdin, SIGTERM and SIGKILL, each. */
const stopStepMs = 700;
/** A killed process that hangs in the system cannot be waited for any longer. */
const killTimeoutMs = 500;

export interface StartProgramOptions {
  readonly clock: Clock;
  /** As the driver has it. */
  readonly programs: Programs | undefined;
}

/** Starts a program to talk with, in a process group of its own. */
export async function startProgram(program: Program, options: StartProgramOptions): Promise<ProgramStart> {
  const started = await (options.programs ?? { start: startChild }).start(program, { stdin: "pipe" });
  const runs = running(started, options); // At once: what it says first is not to be lost.
  return (await started.problem) ?? { kind: "started", program: runs };
}

function running(
  { child, stdin, stdout, stderr }: StartedChild,
  { clock, programs }: StartProgramOptions,
): RunningProgram {
  for (const stream of [stdin, stdout, stderr]) stream?.on("error", () => undefined); // Whoever uses it is told.
  let hasEnded = false;
  const ended = new Promise<ProgramEnd>((resolve) => {
    const end = async (programEnd: ProgramEnd): Promise<void> => {
      signalGroup(child.pid, "SIGKILL"); // What it left behind would hold the pipes open, and outlive it.
      await programs?.endLeftovers();
      hasEnded = true;
      resolve(programEnd);
    };
    child.once("exit", (exitCode, signal) => void end({ exitCode, signal }));
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
    stdin?.end();
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
        if (stdin === null) reject(new Error("The program has no input"));
        else
          stdin.write(bytes, (error) => {
            if (error === undefined || error === null) resolve();
            else reject(error);
          });
      }),
    stop: () => (stopping ??= stop()),
  };
}
