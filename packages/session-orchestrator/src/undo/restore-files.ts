import { errorMessage } from "@incipit/kernel";
import { type RestoredFiles, type RestoreFilesRequest, restorationIdSchema } from "@incipit/schema";
import { sep } from "node:path";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import type { KeptRestoration } from "../tools/file-snapshots.ts";
import { undoneWork } from "./undone-changes.ts";
import { undoneFiles, type UndoneFile } from "./undone-files.ts";

type Restored = RestoredFiles["files"][number];

/**
 * One by one: an interruption leaves some files restored completely, which the next attempt reports as `unchanged`.
 *
 * @throws {ServiceError} as `undoneWork`
 */
export async function restoreFiles(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { paths, signal, ...range }: RestoreFilesRequest & { readonly signal: AbortSignal },
): Promise<RestoredFiles> {
  const { changes, madeFolders } = await undoneWork(context, { id: conversation.record.id, ...range });
  const folders = new Set(madeFolders);
  const wanted = new Set(paths);
  const restoration = conversation.ids.next(restorationIdSchema);
  const files: Restored[] = [];
  for await (const file of undoneFiles(context, changes, signal)) {
    if (!wanted.delete(file.path)) continue;
    // The last removed file also removes its folder, even one created for another file.
    if (file.state === "restorable") for (const folder of file.madeFolders) folders.add(folder);
    files.push({
      path: file.path,
      ...(await putBack(conversation, { file, restoration, from: range.from, folders, signal })),
    });
  }
  const unknown = [...wanted].map(
    (path) => ({ path, outcome: "left", why: "no tool of these turns has changed it" }) as const,
  );
  return { files: [...files, ...unknown], restoration };
}

async function putBack(
  { keptFiles }: LoadedConversation,
  {
    file,
    restoration: restorationId,
    from: message,
    folders,
    signal,
  }: {
    readonly file: UndoneFile;
    readonly restoration: RestoredFiles["restoration"];
    readonly from: string | undefined;
    readonly folders: ReadonlySet<string>;
    readonly signal: AbortSignal;
  },
): Promise<Omit<Restored, "path">> {
  if (file.state !== "restorable") return left(file.why ?? "it is already unchanged");
  const { path, cwd, from, fromMode, to, toMode, missingFolders, files, changeIds } = file;
  const of = message === undefined ? { changeIds: [...changeIds] } : { from: message };
  const setsMode = from !== null && toMode !== undefined && toMode !== fromMode;
  let kept: KeptRestoration;
  try {
    kept = await keptFiles.keepRestored(
      { restorationId, of },
      { path, cwd, before: from, after: to, mode: fromMode, setsMode, missingFolders },
    );
  } catch (error) {
    return left(`its present content could not be saved first (${errorMessage(error)})`);
  }
  const emptyFolders = [...folders].filter((folder) => path.startsWith(folder + sep));
  const replaced = await files.replace(path, { cwd, from, to, mode: toMode, emptyFolders, signal });
  if (replaced.kind === "refused") {
    await kept.forget();
    return left(replaced.why);
  }
  const outcome = to === null ? "removed" : from === null ? "created" : "written";
  const { removedFolders } = replaced;
  return {
    outcome,
    isKept: kept.isKept,
    ...(removedFolders === undefined ? {} : { removedFolders: [...removedFolders] }),
  };
}

function left(why: string): Omit<Restored, "path"> {
  return { outcome: "left", why };
}
