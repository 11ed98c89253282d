import type { Style } from "../style/style.ts";
import { hanging, harmless } from "./block.ts";

/** `number` is in the new file, or in the old file if removed. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "note" | "gap";
  readonly number: number | undefined;
  readonly text: string;
}

export function numberedDiff(diff: string): readonly DiffLine[] {
  const found: DiffLine[] = [];
  let at: { before: number; after: number } | undefined;
  for (const text of diff.split("\n")) {
    const [, before, after] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text) ?? [];
    if (before !== undefined && after !== undefined) {
      if (at !== undefined) found.push({ kind: "gap", number: undefined, text: "…" });
      at = { before: Number(before), after: Number(after) };
    } else if (at === undefined) continue;
    else if (text.startsWith("-")) found.push({ kind: "removed", number: at.before++, text });
    else if (text.startsWith("+")) found.push({ kind: "added", number: at.after++, text });
    else if (text.startsWith("\\")) found.push({ kind: "note", number: undefined, text });
    else {
      found.push({ kind: "same", number: at.after, text });
      at = { before: at.before + 1, after: at.after + 1 };
    }
  }
  return found;
}

const indent = "    ";

export function numberedRows(
  diff: string,
  { style, width }: { readonly style: Style; readonly width: number },
): readonly string[] {
  const lines = numberedDiff(harmless(diff.trimEnd()));
  const paint = { same: String, added: style.added, removed: style.removed, note: style.muted, gap: style.muted };
  const digits = Math.max(1, ...lines.map(({ number = 0 }) => String(number).length));
  const empty = `${indent}${" ".repeat(digits)} `;
  return lines.flatMap(({ kind, number, text }) => {
    const first = `${indent}${String(number ?? "").padStart(digits)} `;
    const rows = hanging(paint[kind](text), { first: "", width: Math.max(1, width - empty.length) });
    return rows.map((row, index) => `${index === 0 ? style.muted(first) : empty}${row}`);
  });
}
