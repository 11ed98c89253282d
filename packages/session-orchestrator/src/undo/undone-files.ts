import type { ChangedFile } from "@incipit/schema";
import type { FileContent, WorkspaceFiles } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { keys, type StoredFileChange } from "../store/stored.ts";
import { contentDigest, maxKeptFileBytes } from "../tools/file-snapshots.ts";
import type { UndoneChange } from "./undone-changes.ts";
import * as z from "zod";

export type UndoneFile = { readonly path: string; readonly cwd: string } & (
  | {
      readonly state: "restorable";
      readonly action: NonNullable<ChangedFile["action"]>;
      readonly from: FileContent;
      readonly fromMode: number | undefined;
      readonly to: FileContent;
      /** `undefined` keeps the mode, or a new file's default. */
      readonly toMode: number | undefined;
      readonly missingFolders: readonly string[] | undefined;
      readonly madeFolders: readonly string[];
      readonly files: WorkspaceFiles;
      readonly changeIds: readonly string[];
    }
  | { readonly state: Exclude<ChangedFile["state"], "restorable">; readonly why?: string }
);

const othersChange = "unchanged, because it was modified since then";

export async function* undoneFiles(
  context: OrchestratorContext,
  changes: readonly UndoneChange[],
  signal: AbortSignal,
): AsyncGenerator<UndoneFile, void> {
  const byPath = Map.groupBy(changes, ({ path }) => path);
  for (const [path, made] of [...byPath].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    signal.throwIfAborted();
    yield await undoneFile(context, { path, made, signal });
  }
}

async function undoneFile(
  context: OrchestratorContext,
  {
    path,
    made,
    signal,
  }: { readonly path: string; readonly made: readonly UndoneChange[]; readonly signal: AbortSignal },
): Promise<UndoneFile> {
  const cwd = made.at(-1)?.cwd ?? "/";
  const file = { path, cwd };
  const files = context.workspaceFiles.current;
  if (files === undefined)
    return {
      ...file,
      state: "refused",
      why: 'the tools for files are off: turn them on with "tools.workspace = true"',
    };
  const read = await files.read(path, { cwd, signal });
  if (read.kind === "moved") return { ...file, state: "changed", why: `${othersChange} (${read.why})` };
  if (read.kind === "refused") return { ...file, state: "refused", why: read.why };
  const origin = originOf(made, contentDigest(read.content));
  if (origin.kind === "unchanged") return { ...file, state: "unchanged" };
  if (origin.kind === "changed") return { ...file, state: "changed", why: othersChange };
  const content = await contentBefore(context, origin.change);
  if (content.kind === "not-kept") return { ...file, state: "not-kept", why: content.why };
  const from = read.content;
  const to = content.content;
  const action = to === null ? "remove" : from === null ? "create" : "write";
  const changeIds = made.map(({ changeId }) => changeId);
  // The mode of a file that always existed is the user's choice.
  const isModeOurs = origin.made.some(({ after, setsMode = false }) => after === null || setsMode);
  const toMode = isModeOurs ? origin.change.mode : undefined;
  const madeFolders = origin.made.flatMap(({ missingFolders = [] }) => missingFolders);
  const { mode: fromMode, missingFolders } = read;
  const places = { missingFolders, madeFolders };
  return { ...file, state: "restorable", action, from, fromMode, to, toMode, ...places, files, changeIds };
}

async function contentBefore(
  { storage }: OrchestratorContext,
  { before, conversationId, changeId }: UndoneChange,
): Promise<
  { readonly kind: "kept"; readonly content: FileContent } | { readonly kind: "not-kept"; readonly why: string }
> {
  if (before === null) return { kind: "kept", content: null };
  if (before === "unknown") return { kind: "not-kept", why: "the file tools could not read it before the change" };
  if (before.sizeBytes > maxKeptFileBytes) {
    const why = `it had ${before.sizeBytes} bytes, and at most ${maxKeptFileBytes} of a file are kept`;
    return { kind: "not-kept", why };
  }
  const text = await storage.get(keys.keptFile(conversationId, changeId), z.string());
  if (text === undefined)
    return { kind: "not-kept", why: "its earlier content was dropped to make room for newer changes" };
  const content = new Uint8Array(Buffer.from(text, "base64"));
  // Never restore damaged content.
  if (contentDigest(content)?.sha256 !== before.sha256)
    return { kind: "not-kept", why: "its stored content is damaged" };
  return { kind: "kept", content };
}

type ContentDigest = StoredFileChange["after"];

type FileOrigin<Change> =
  /** Can be restored to the state before `change`. `made`: the changes actually made, including `change`. */
  | { readonly kind: "origin"; readonly change: Change; readonly made: readonly Change[] }
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed" };

/**
 * Follows the changes backwards from the present content. Skips one whose `before` is the present content: it was
 * never made, for example because its call was denied, or was already reverted.
 */
export function originOf<Change extends Pick<StoredFileChange, "before" | "after">>(
  changes: readonly Change[],
  present: ContentDigest,
): FileOrigin<Change> {
  let at: StoredFileChange["before"] = present;
  const made: Change[] = [];
  for (const change of changes.toReversed()) {
    // Unknown previous content breaks the chain.
    if (at === "unknown") return { kind: "changed" };
    if (isSame(change.after, at)) {
      at = change.before;
      made.push(change);
    } else if (change.before === "unknown" || !isSame(change.before, at)) return { kind: "changed" };
  }
  const oldest = made.at(-1);
  if (oldest === undefined || (at !== "unknown" && isSame(at, present))) return { kind: "unchanged" };
  return { kind: "origin", change: oldest, made };
}

function isSame(one: ContentDigest, other: ContentDigest): boolean {
  return one === null || other === null ? one === other : one.sha256 === other.sha256;
}
