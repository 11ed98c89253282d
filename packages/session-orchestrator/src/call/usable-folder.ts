import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { isAbsolute } from "node:path";
import type { FileSystem } from "@incipit/kernel";

/** An unreachable network folder counts as existing. */
const timeoutMs = 5_000;

/**
 * Accepts a folder that is inaccessible or cannot be checked in time; its users report the problem.
 *
 * @throws {ServiceError} `CWD_INVALID`, with advice.
 */
export async function usableFolder({ fs }: Pick<OrchestratorContext, "fs">, cwd: string): Promise<string> {
  const problem = cwdProblem(cwd) ?? (await absence(fs, cwd));
  if (problem === undefined) return cwd;
  throw new ServiceError("CWD_INVALID", problem, { details: [{ field: '"cwd"' }] });
}

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

async function absence(fs: OrchestratorContext["fs"], cwd: string): Promise<string | undefined> {
  const found = await fs.list(".", { cwd, timeoutMs, maxEntries: 0 });
  if (found.kind === "listed") return undefined;
  if (found.reason === "not-a-folder")
    return `Cannot use cwd "${cwd}": it is not a folder; name the folder that it is in`;
  if (found.reason === "not-found")
    return `Cannot use cwd "${cwd}": there is no such folder; make it with: mkdir -p ${inShell(cwd)}`;
  return undefined;
}

function inShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Linux's limit; other systems enforce lower ones themselves. */
const maxCwdLength = 4_096;

export function cwdProblem(cwd: string): string | undefined {
  if (cwd.length > maxCwdLength)
    return `Cannot use a cwd of ${cwd.length} characters: no path has more than ${maxCwdLength}`;
  if (cwd.includes("\0"))
    return `Cannot use cwd ${JSON.stringify(cwd)}: programs would cut it at its NUL; leave that out`;
  return isAbsolute(cwd) ? undefined : `Cannot use cwd "${cwd}": it is not absolute; write the full path`;
}

export async function realFolder(
  cwd: string,
  { fs, signal }: { readonly fs: Pick<FileSystem, "list">; readonly signal: AbortSignal },
): Promise<string> {
  const listed = await fs.list(".", { cwd, signal, timeoutMs, maxEntries: 0 });
  return listed.kind === "listed" ? listed.path : cwd;
}
