import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { errorMessage, errorCode } from "../../failures/error-code.ts";
import { keeper } from "./orphan-killer.ts";
import { launched, reportHandle, type ClosedPlace, type Program } from "./launcher.ts";
import { startedPrograms } from "./started-programs.ts";

interface StartProblem {
  readonly kind: "failed";
  readonly reason: "not-installed" | "failed";
  readonly detail: string;
}

export interface StartedChild {
  readonly child: ChildProcess;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves once the program runs or has failed to start; never rejects. */
  readonly problem: Promise<StartProblem | undefined>;
}

export interface StartChildOptions {
  readonly stdin: "ignore" | "pipe";
  readonly closed?: ClosedPlace | undefined;
}

/** Linux error numbers of ENOENT, ENOEXEC and EACCES. */
const missingProgramNumbers: ReadonlySet<string> = new Set(["2", "8", "13"]);

/** A session and process group of its own lets a kill reach its children. */
export function startChild(program: Program, { stdin, closed }: StartChildOptions): StartedChild {
  const isLaunched = closed !== undefined;
  const mark = isLaunched ? keeper.start() : undefined;
  const { command, cwd, env } = isLaunched ? launched(program, { closed, mark }) : program;
  const [file, ...args] = command;
  const child = spawn(file, args, {
    cwd,
    env: { ...env },
    stdio: [stdin, "pipe", "pipe", ...(isLaunched ? (["pipe"] as const) : [])],
    detached: true,
  });
  const { pid, stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error(`Cannot start "${program.command[0]}": it has no output`);
  if (pid !== undefined) {
    startedPrograms.add(pid);
    if (mark !== undefined) keeper.add(pid);
    child.once("exit", () => {
      startedPrograms.delete(pid);
      keeper.remove(pid);
    });
  }
  const problem = new Promise<StartProblem | undefined>((resolve) => {
    child.once("error", (error) => {
      const reason = isMissingProgram(error) ? "not-installed" : "failed";
      resolve({ kind: "failed", reason, detail: errorMessage(error) });
    });
    if (isLaunched) void reportOf(child).then((report) => resolve(problemOf(report, program)));
    else child.once("spawn", () => resolve(undefined));
  });
  return { child, stdin: child.stdin, stdout, stderr, problem };
}

async function reportOf(child: ChildProcess): Promise<string> {
  const stream = child.stdio[reportHandle];
  if (stream === undefined || stream === null || !("read" in stream)) return "";
  let report = "";
  try {
    for await (const chunk of stream) report += String(chunk);
  } catch {}
  return report;
}

function problemOf(report: string, { command: [file] }: Program): StartProblem | undefined {
  if (report === "") return undefined;
  if (missingProgramNumbers.has(report)) return { kind: "failed", reason: "not-installed", detail: file };
  const detail = report.startsWith("failed ") ? report.slice("failed ".length) : `error ${report} of the system`;
  return { kind: "failed", reason: "failed", detail };
}

function isMissingProgram(error: unknown): boolean {
  return ["ENOENT", "EACCES", "ENOEXEC"].includes(errorCode(error) ?? "");
}
