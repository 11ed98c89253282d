import type { ChangedFile } from "@incipit/schema";

/** One set for undo and one for redo. */
export interface FileChangeLabels {
  readonly actions: Readonly<Record<NonNullable<ChangedFile["action"]>, string>>;
  /** `files` is "the file" or "2 files". */
  readonly label: (files: string) => string;
  /** Precedes the names of changed files. */
  readonly done: string;
  readonly failed: string;
}

export const undoWords: FileChangeLabels = {
  actions: {
    write: "will be restored",
    create: "will be created again",
    remove: "will be deleted (the turn created it)",
  },
  label: (files) => `restore ${files}`,
  done: "Restored",
  failed: "it could not be restored",
};

export const redoWords: FileChangeLabels = {
  actions: { write: "will be changed again", create: "will be created again", remove: "will be deleted again" },
  label: (files) => `reapply the changes to ${files}`,
  done: "Reapplied",
  failed: "its change could not be reapplied",
};

export const leftAlone = "it stays as it is";

/** Only changes by file tools are recorded. Takes sanitized names. */
export function otherToolsText(tools: readonly string[]): string {
  return `Changes by ${tools.join(", ")} cannot be undone`;
}

/** Takes sanitized names. */
export function lostText(files: readonly string[]): string {
  return `The content of ${files.join(", ")} was not kept: you cannot redo this`;
}

/** Takes sanitized names. */
export function removedFoldersText(folders: readonly string[]): string {
  return `Also removed empty folders: ${folders.join(", ")}`;
}
