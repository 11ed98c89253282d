import { defineHandle, type ServiceHandle } from "@incipit/kernel";

export interface WorkspaceFileOptions {
  /** Absolute working folder of the call that changed the file. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** `null` if the file does not exist. */
export type FileContent = Uint8Array | null;

export type WorkspaceFileRead =
  | {
      readonly kind: "read";
      readonly content: FileContent;
      /** Nine permission bits; absent without a file, or on systems without modes. */
      readonly mode?: number;
      /** For a missing file: the missing parent folders below the working folder. */
      readonly missingFolders?: readonly string[];
    }
  /** The path now leads elsewhere, or is not a regular file. */
  | { readonly kind: "moved"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string };

export type WorkspaceFileReplaced =
  /** `removedFolders`: the entries of `emptyFolders` that were deleted. */
  | { readonly kind: "replaced"; readonly removedFolders?: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Accesses files of working folders by the rules of the host's file tools: paths are absolute with links resolved,
 * below the folder, and must still resolve to themselves.
 */
export interface WorkspaceFiles {
  read(path: string, options: WorkspaceFileOptions): Promise<WorkspaceFileRead>;
  /** Describes a change for the user, as a unified diff or a sentence. Has no side effects. */
  preview(path: string, change: { readonly from: FileContent; readonly to: FileContent }): Promise<string>;
  /** Returns why access needs approval, as a sentence, or `undefined` if it does not. */
  reasonToAsk(path: string, options: WorkspaceFileOptions): Promise<string | undefined>;
  /**
   * Replaces exactly `from` by `to`, atomically.
   * @param options.mode Mode of the new file. Defaults to the current mode.
   * @param options.emptyFolders Parent folders to delete with the file, if they become empty.
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

/** Provided by the extension with the file-changing tools. */
export const workspaceFilesHandle: ServiceHandle<WorkspaceFiles> = defineHandle<WorkspaceFiles>(
  "workspace-files@1",
  {
    read: "function",
    preview: "function",
    reasonToAsk: "function",
    replace: "function",
  },
);
