import { changedPath, leftAlone, otherToolsText, type FileChangeLabels } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import type { FileChanges } from "@incipit/schema";

const maxLines = 24;

export function fileLines(
  { files, otherTools }: FileChanges,
  { cwd, words }: { readonly cwd: string; readonly words: FileChangeLabels },
): readonly string[] {
  const changed = files.filter(({ state }) => state !== "unchanged");
  return [
    ...changed.flatMap(({ path, action, preview, why }) => {
      const name = changedPath(path, cwd);
      if (action === undefined) return [`  ${name}: ${clipped(why ?? leftAlone)}`];
      const reason = why === undefined ? [] : [`    ! ${clipped(why)}`];
      return [`  ${name}: ${words.actions[action]}`, ...reason, ...previewLines(preview)];
    }),
    ...(otherTools.length === 0 ? [] : [otherToolsText(otherTools.map(clipped))]),
  ];
}

function previewLines(preview: string | undefined): readonly string[] {
  const hunks = preview === undefined ? undefined : /^--- .*\n\+\+\+ .*\n([^]*)$/.exec(preview)?.[1];
  if (hunks === undefined) return [];
  const lines = hunks.trimEnd().split("\n");
  const shown = lines.slice(0, maxLines).map((line) => `    ${clipped(line)}`);
  const more = lines.length - maxLines;
  return more <= 0 ? shown : [...shown, `    … ${more} more ${more === 1 ? "line" : "lines"}`];
}

function clipped(text: string): string {
  return clippedLine(text, { maxCharacters: 300 });
}
