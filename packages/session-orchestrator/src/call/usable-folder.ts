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
