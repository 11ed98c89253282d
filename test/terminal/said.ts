import { expect } from "bun:test";
import { join } from "node:path";
import type { Sitting } from "./sitting.ts";

function log(sitting: Sitting): readonly string[] {
  const rows = sitting.everything().split("\n");
  const editor = rows.findIndex((row) => /^─+$/.test(row));
  const above = editor < 0 ? rows : rows.slice(0, editor);
  return above.at(-1) === "" ? above.slice(0, -1) : above;
}

export async function said(sitting: Sitting, line: string, until: string | RegExp): Promise<string> {
  const before = log(sitting);
  const printed = (): string => {
    const rows = log(sitting);
    // Rows above the editor that were still changing move down or disappear.
    const first = rows.findIndex((row, index) => row !== before[index]);
    return first < 0 ? "" : rows.slice(first).join("\n").replace(/^\n+/, "");
  };
  const fits =
    typeof until === "string" ? (text: string) => text.includes(until) : (text: string) => until.test(text);
  await sitting.enterUntil(line, () => fits(printed()));
  return printed();
}

const isUpdated = (process.env["UPDATE_SCREENS"] ?? "") !== "";

/** `UPDATE_SCREENS=1` rewrites `screens/NAME-COLUMNS.txt`. */
export async function expectScreen(
  text: string,
  { name, columns }: { readonly name: string; readonly columns: number },
): Promise<void> {
  const file = join(import.meta.dir, "screens", `${name}-${columns}.txt`);
  const screen = `${steady(text).trimEnd()}\n`;
  for (const row of screen.split("\n")) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(columns);
  if (isUpdated) await Bun.write(file, screen);
  expect(screen).toBe(await Bun.file(file).text());
}

/** Keeps the width of values that differ per run. */
export function steady(text: string): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\d(?=[ T]\d\d:\d\d)/g, "2026-01-01")
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, "00:00:00")
    .replaceAll(/\b\d\d:\d\d\b(?!:)/g, "00:00")
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "01a1fcd7-5c9a-7556-afda-76769002c75c")
    .replaceAll(/\b[0-9a-f]{12,}\b/g, (hash) => "0".repeat(hash.length));
}
