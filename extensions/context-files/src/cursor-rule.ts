export type CursorRule =
  | { readonly kind: "told"; readonly text: string }
  | { readonly kind: "left-out"; readonly reason: string };

/**
 * Reads the front matter line by line: unquoted `globs` make it invalid YAML.
 * @param text With `\n` line endings and without byte order mark.
 */
export function cursorRule(text: string): CursorRule {
  const [opening] = /^---[ \t]*\n/.exec(text) ?? [];
  if (opening === undefined) return leftOut("it has no front matter, so it applies only when named explicitly");
  const closing = /^---[ \t]*(?:\n|$)/gm;
  closing.lastIndex = opening.length;
  const end = closing.exec(text);
  if (end === null) return leftOut('its front matter has no end: no second line "---"');
  const keys = text.slice(opening.length, end.index);
  if (!/^alwaysApply:[ \t]*true[ \t]*(?:#.*)?$/m.test(keys))
    return leftOut("it does not set alwaysApply: true, so it applies only to certain files or tasks");
  return { kind: "told", text: text.slice(end.index + end[0].length).replace(/^\n+/, "") };
}

function leftOut(reason: string): CursorRule {
  return { kind: "left-out", reason };
}
