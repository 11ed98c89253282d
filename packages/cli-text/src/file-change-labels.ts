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
    write: "changes back",
    create: "will be created again",
    remove: "will be deleted (the turn made it)",
  },
  label: (files) => `put ${files} back`,
  done: "Put back",
  failed: "it could not be put back",
};

export const redoWords: FileChangeLabels = {
  actions: { write: "changes again", create: "will be created again", remove: "will be deleted again" },
  label: (files) => `change ${files} again`,
  done: "Changed again",
  failed: "it could not be changed again",
};

export const leftAlone = "it stays as it is";

/** Only changes by file tools are recorded. Takes sanitized names. */
export function otherToolsText(tools: readonly string[]): string {
  return `What ${tools.join(", ")} may have changed cannot be put back: it stays as it is`;
}

/** Takes sanitized names. */
export function lostText(files: readonly string[]): string {
  return `What was in ${files.join(", ")} was not kept: this cannot be taken back`;
}

/** Takes sanitized names. */
export function removedFoldersText(folders: readonly string[]): string {
  return `Empty folders that went, too: ${folders.join(", ")}`;
}
