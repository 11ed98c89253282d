import type { FileSystem, FolderAbsentReason } from "@incipit/kernel";
import type { FoundFileSource } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { dirname, isAbsolute, join } from "node:path";
import type { Settings } from "./configuration.ts";
import { fileTimeoutMs } from "./read-text.ts";

export type Kind = "skills" | "commands";

export interface Place {
  readonly source: FoundFileSource;
  readonly path: string;
  /** Root that links may not leave; unrestricted for the user's own folders. */
  readonly within: string;
}

const maxDepth = 64;

export interface Places {
  readonly places: readonly Place[];
  readonly problem: string | undefined;
}

/**
 * `.agents` before `.claude` in each folder up to the repository root, then the user's folder, and the configured
 * ones. Outside of a repository, no parent is searched.
 * @throws {ServiceError} `CWD_INVALID`.
 */
export async function placesOf(
  cwd: string,
  {
    kind,
    fs,
    settings,
    signal,
  }: {
    readonly kind: Kind;
    readonly fs: FileSystem;
    readonly settings: Settings;
    readonly signal: AbortSignal;
  },
): Promise<Places> {
  if (!isAbsolute(cwd) || cwd.includes("\0"))
    throw new ServiceError("CWD_INVALID", `Cannot use cwd ${JSON.stringify(cwd)}: write an absolute path`);
  const listed = await fs.list(".", { cwd, maxEntries: 0, timeoutMs: fileTimeoutMs, signal });
  signal.throwIfAborted();
  const folders = listed.kind === "listed" ? await foldersOf(listed.path, { fs, signal }) : [];
  const { userFolder } = settings;
  const configured = kind === "skills" ? settings.skillFolders : settings.commandFolders;
  const places: readonly Place[] = [
    ...folders.flatMap((folder) =>
      [".agents", ".claude"].map((name) => ({
        source: "folder" as const,
        path: join(folder, name, kind),
        within: folder,
      })),
    ),
    ...(userFolder === undefined ? [] : [{ source: "user" as const, path: join(userFolder, kind), within: "/" }]),
    ...configured.map((path) => ({ source: "configured" as const, path, within: "/" })),
  ];
  return { places, problem: listed.kind === "listed" ? undefined : folderReasons[listed.reason] };
}

export const folderReasons: Readonly<Record<FolderAbsentReason, string>> = {
  "not-found": "it is not there",
  denied: "it is a link that leads out of its folder",
  "not-a-folder": "it is not a folder",
  timeout: `it did not answer within ${fileTimeoutMs / 1_000} s`,
  failed: "the system refused it",
};

async function foldersOf(
  folder: string,
  { fs, signal }: { readonly fs: FileSystem; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const above = [folder];
  for (let next = dirname(folder); next !== above.at(-1) && above.length < maxDepth; next = dirname(next))
    above.push(next);
  // A file in linked worktrees and submodules.
  const looks = await Promise.all(
    above.map((cwd) => fs.readFile(".git", { cwd, maxBytes: 0, timeoutMs: fileTimeoutMs, signal })),
  );
  signal.throwIfAborted();
  const root = looks.findIndex((look) => look.kind === "read" || rootMarks.has(look.reason));
  return above.slice(0, Math.max(root, 0) + 1);
}

const rootMarks: ReadonlySet<string> = new Set(["not-a-file", "too-large", "denied"]);
