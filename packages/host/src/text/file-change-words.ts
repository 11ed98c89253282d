import type { ChangedFile } from "@incipit/schema";

/** What is said of files that are put back, which is another thing on the way back and on the way forth. */
export interface FileChangeWords {
  readonly actions: Readonly<Record<NonNullable<ChangedFile["action"]>, string>>;
  /** What is done with them; `files`: "the file" or "2 files". */
  readonly label: (files: string) => string;
  /** In front of the names of those that were changed. */
  readonly done: string;
  /** Why one was not changed, where nothing else is known. */
  readonly failed: string;
}

export const undoWords: FileChangeWords = {
  actions: {
    write: "changes back",
    create: "will be created again",
    remove: "will be deleted (the turn made it)",
  },
  label: (files) => `put ${files} back`,
  done: "Put back",
  failed: "it could not be put back",
};

export const redoWords: FileChangeWords = {
  actions: { write: "changes again", create: "will be created again", remove: "will be deleted again" },
  label: (files) => `change ${files} again`,
  done: "Changed again",
  failed: "it could not be changed again",
};

/** What is said of a file that is left as it is, where nobody says why. */
export const leftAlone = "it stays as it is";

/** Only what the tools for files do is kept. @param tools Names that steer nothing. */
export function otherToolsText(tools: readonly string[]): string {
  return `What ${tools.join(", ")} may have changed cannot be put back: it stays as it is`;
}

/** @param files Names that steer nothing. */
export function lostText(files: readonly string[]): string {
  return `What was in ${files.join(", ")} was not kept: this cannot be taken back`;
}

/** @param folders Names that steer nothing. */
export function removedFoldersText(folders: readonly string[]): string {
  return `Empty folders that went, too: ${folders.join(", ")}`;
}
