import { errorMessage } from "@incipit/kernel";
import type { RestoredFiles, RestoreFilesRequest } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { undoneWork } from "./undone-changes.ts";
import { undoneFiles, type UndoneFile } from "./undone-files.ts";

type Restored = RestoredFiles["files"][number];

/**
 * Puts files back, one after the other: what was cut off is half of the files, and never half a file. Those that are done are
 * `unchanged` for the next time.
 * @throws {ServiceError} as `undoneWork`
 */
export async function restoreFiles(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { paths, signal, ...range }: RestoreFilesRequest & { readonly signal: AbortSignal },
): Promise<RestoredFiles> {
  const { changes } = await undoneWork(context, { id: conversation.record.id, ...range });
  const wanted = new Set(paths);
  const restoration = conversation.ids.nextRestorationId();
  const files: Restored[] = [];
  for await (const file of undoneFiles(context, changes, signal)) {
    if (!wanted.delete(file.path)) continue;
    const left = await leftAsIs(conversation, restoration, { file, signal });
    if (file.state !== "restorable" || left !== undefined) {
      files.push({ path: file.path, outcome: "left", ...(left === undefined ? {} : { why: left }) });
      continue;
    }
    const outcome = file.to === null ? "removed" : file.from === null ? "created" : "written";
    files.push({ path: file.path, outcome });
  }
  const unknown = [...wanted].map(
    (path) => ({ path, outcome: "left", why: "no tool of these turns has changed it" }) as const,
  );
  return { files: [...files, ...unknown], restoration };
}

/** Why a file could not be put back; `undefined`: it was. */
async function leftAsIs(
  { keptFiles }: LoadedConversation,
  restoration: RestoredFiles["restoration"],
  { file, signal }: { readonly file: UndoneFile; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (file.state !== "restorable") return file.why ?? "it is as it was before";
  const { path, cwd, from, to, files } = file;
  try {
    await keptFiles.keepRestored(restoration, { path, cwd, before: from, after: to });
  } catch (error) {
    return `its present content could not be saved first (${errorMessage(error)})`;
  }
  const replaced = await files.replace(path, { cwd, from, to, signal });
  return replaced.kind === "replaced" ? undefined : replaced.why;
}
