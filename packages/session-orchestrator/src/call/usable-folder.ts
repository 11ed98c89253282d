import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { cwdProblem } from "./cwd-problem.ts";

/** A folder on a network that is gone does not keep anybody waiting: it counts as one that is there. */
const timeoutMs = 5_000;

/**
 * A folder in which a conversation can work from now on. One at which the host may not look, or not in time, counts as one
 * that is there: whoever uses it is told.
 * @throws {ServiceError} `CWD_INVALID`, with what to do about it.
 */
export async function usableFolder({ fs }: Pick<OrchestratorContext, "fs">, cwd: string): Promise<string> {
  const problem = cwdProblem(cwd) ?? (await absence(fs, cwd));
  if (problem === undefined) return cwd;
  throw new ServiceError("CWD_INVALID", problem, { details: [{ field: '"cwd"' }] });
}

/**
 * Returns in one line why the working folder of a conversation cannot be used at this moment; `undefined`: nothing is known
 * against it. A folder for which the host has no grant counts as usable.
 */
export async function folderNotice(
  { fs }: Pick<OrchestratorContext, "fs">,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (cwdProblem(cwd) !== undefined) return undefined;
  const found = await fs.list(".", { cwd, timeoutMs, maxEntries: 0, signal });
  signal.throwIfAborted();
  if (found.kind === "listed") return undefined;
  const notice = (why: string, mend: string): string =>
    `The working folder ${JSON.stringify(cwd)} ${why}: tools cannot work in it, and its files are not read; ${mend}, or choose another folder (--cwd DIR, /cwd DIR)`;
  switch (found.reason) {
    case "not-found":
      return notice("does not exist any more", `make it with: mkdir -p ${inShell(cwd)}`);
    case "not-a-folder":
      return notice("is not a folder any more", "put a folder in its place");
    case "timeout":
      return notice(`did not answer within ${timeoutMs / 1_000} s`, "look whether its disk is reachable");
    case "denied":
      return found.detail === undefined ? undefined : notice("may not be read by the host", "give it that right");
    case "failed":
      return notice(`cannot be read (${found.detail ?? "the system does not say why"})`, "mend that");
  }
}

/** Why no program can run there. */
async function absence(fs: OrchestratorContext["fs"], cwd: string): Promise<string | undefined> {
  const found = await fs.list(".", { cwd, timeoutMs, maxEntries: 0 });
  if (found.kind === "listed") return undefined;
  if (found.reason === "not-a-folder")
    return `Cannot use cwd "${cwd}": it is not a folder; name the folder that it is in`;
  if (found.reason === "not-found")
    return `Cannot use cwd "${cwd}": there is no such folder; make it with: mkdir -p ${inShell(cwd)}`;
  return undefined;
}

/** As one word for a shell. */
function inShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
