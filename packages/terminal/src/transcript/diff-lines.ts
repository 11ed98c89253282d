import type { Style } from "../style/style.ts";

export function diffLines(diff: string, style: Style): readonly string[] {
  return diff.split("\n").map((line) => {
    if (line.startsWith("+++") || line.startsWith("---")) return style.strong(line);
    if (line.startsWith("@@")) return style.muted(line);
    if (line.startsWith("+")) return style.added(line);
    if (line.startsWith("-")) return style.removed(line);
    return line;
  });
}
