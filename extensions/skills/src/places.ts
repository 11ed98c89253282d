import { repositoryFolders } from "@incipit/common";
import type { FileSystem, FolderAbsentReason } from "@incipit/kernel";
import type { FoundFileSource } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { isAbsolute, join } from "node:path";
import type { Settings } from "./configuration.ts";
import { fileTimeoutMs } from "./read-text.ts";

export type Kind = "skills" | "commands";

export interface Place {
  readonly source: FoundFileSource;
  readonly path: string;
  /** Root that links may not leave; unrestricted for the user's own folders. */
  readonly within: string;
}

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
  const folders =
    listed.kind === "listed" ? await repositoryFolders(listed.path, { fs, timeoutMs: fileTimeoutMs, signal }) : [];
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
