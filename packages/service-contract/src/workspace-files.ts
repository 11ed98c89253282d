import { defineHandle, type ServiceHandle } from "@incipit/kernel";

export interface WorkspaceFileOptions {
  /** The working folder of the call that has changed it. Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** `null`: there is none. */
export type FileContent = Uint8Array | null;

export type WorkspaceFileRead =
  | {
      readonly kind: "read";
      readonly content: FileContent;
      /** Who may do what with it, as nine bits; absent: there is no file, or the system has no modes. */
      readonly mode?: number;
      /** Where there is no file: the folders on its way that are not there either, below the working folder; absent: none. */
      readonly missingFolders?: readonly string[];
    }
  /** Its path leads elsewhere, or it is no regular file any more. */
  | { readonly kind: "moved"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string };

export type WorkspaceFileReplaced =
  /** `removedFolders`: those of `emptyFolders` that went with it; absent: none. */
  | { readonly kind: "replaced"; readonly removedFolders?: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Files of working folders, by the rules that the host's own tools for files obey: a path is absolute, with links followed, and is
 * touched only below the folder, and only where it still leads to itself.
 */
export interface WorkspaceFiles {
  read(path: string, options: WorkspaceFileOptions): Promise<WorkspaceFileRead>;
  /** What becomes of a file, as a person reads it: a unified diff, or words. It changes nothing. */
  preview(path: string, change: { readonly from: FileContent; readonly to: FileContent }): Promise<string>;
  /** What speaks against touching it unasked, as a sentence; `undefined`: nothing. */
  reasonToAsk(path: string, options: WorkspaceFileOptions): Promise<string | undefined>;
  /**
   * Puts `to` in the place of exactly `from`, at once and whole.
   * @param options.mode Of the file afterwards; absent: one that is there keeps its own.
   * @param options.emptyFolders Folders that go with a file that goes, where it lay in them and nothing else does.
   */
  replace(
    path: string,
    options: WorkspaceFileOptions & {
      readonly from: FileContent;
      readonly to: FileContent;
      readonly mode?: number | undefined;
      readonly emptyFolders?: readonly string[] | undefined;
    },
  ): Promise<WorkspaceFileReplaced>;
}

/** Provided by the extension whose tools change files of working folders. */
export const workspaceFilesHandle: ServiceHandle<WorkspaceFiles> = defineHandle<WorkspaceFiles>(
  "workspace-files@1",
  {
    read: "function",
    preview: "function",
    reasonToAsk: "function",
    replace: "function",
  },
);
