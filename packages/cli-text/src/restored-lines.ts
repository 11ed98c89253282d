import { isInside } from "@incipit/common/system";
import type { RestoredFiles } from "@incipit/schema";
import { clippedLine } from "@incipit/schema/text";
import { relative } from "node:path";
import { lostText, removedFoldersText, type FileChangeLabels } from "./file-change-labels.ts";

export interface RestoredLine {
  readonly level: "good" | "warning";
  readonly text: string;
}

/** Returns sanitized lines. Beyond `maxNames` per line, names are counted. */
export function restoredLines(
  files: RestoredFiles["files"],
  {
    words,
    cwd,
    maxNames = Infinity,
  }: { readonly words: FileChangeLabels; readonly cwd: string; readonly maxNames?: number },
): readonly RestoredLine[] {
  const shown = (paths: readonly string[]): readonly string[] => {
    const names = paths.slice(0, maxNames).map((path) => changedPath(path, cwd));
    const more = paths.length - names.length;
    return more === 0 ? names : [...names, `${more} more`];
  };
  const done = files.filter(({ outcome }) => outcome !== "left");
  const names = shown(done.map(({ path }) => path));
  const folders = shown(done.flatMap(({ removedFolders = [] }) => removedFolders));
  const lost = shown(done.filter(({ isKept }) => isKept === false).map(({ path }) => path));
  const left = files.filter(({ outcome }) => outcome === "left");
  return [
    ...(names.length === 0 ? [] : [{ level: "good", text: `${words.done}: ${names.join(", ")}` } as const]),
    ...(folders.length === 0 ? [] : [{ level: "good", text: removedFoldersText(folders) } as const]),
    ...(lost.length === 0 ? [] : [{ level: "warning", text: lostText(lost) } as const]),
    ...left.map(({ path, why = words.failed }) => {
      const text = `${changedPath(path, cwd)}: ${clippedLine(why, { maxCharacters: maxShown })}`;
      return { level: "warning", text } as const;
    }),
  ];
}

const maxShown = 300;

export function changedPath(path: string, cwd: string): string {
  return clippedLine(isInside(path, cwd) ? relative(cwd, path) : path, { maxCharacters: maxShown });
}
