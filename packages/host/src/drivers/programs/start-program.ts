import type { Clock, ProgramEnd, ProgramStart, RunningProgram } from "@incipit/kernel";
import { signalGroup } from "./process-group.ts";
import type { Program } from "./launcher.ts";
import type { Programs } from "./programs.ts";
import { startChild, type StartedChild } from "./start-child.ts";

/** Before SIGTERM, and again before SIGKILL. */
const stopStepMs = 700;
/** For a killed process that hangs in the kernel. */
const killTimeoutMs = 500;

export interface StartProgramOptions {
  readonly clock: Clock;
  readonly programs: Programs | undefined;
}

export async function startProgram(program: Program, options: StartProgramOptions): Promise<ProgramStart> {
  const started = await (options.programs ?? { start: startChild }).start(program, { stdin: "pipe" });
  const runs = running(started, options); // Before any wait, so that early output is not lost.
  return (await started.problem) ?? { kind: "started", program: runs };
}

function running(
  { child, stdin, stdout, stderr }: StartedChild,
  { clock, programs }: StartProgramOptions,
): RunningProgram {
  for (const stream of [stdin, stdout, stderr]) stream?.on("error", () => undefined);
  let hasEnded = false;
  const ended = new Promise<ProgramEnd>((resolve) => {
    const end = async (programEnd: ProgramEnd): Promise<void> => {
      signalGroup(child.pid, "SIGKILL"); // Leftovers would hold the pipes open and outlive the program.
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
