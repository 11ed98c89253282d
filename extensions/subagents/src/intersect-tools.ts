export type AllowedTools = readonly string[] | null;

const everyTool: readonly string[] = ["*"];

/** Entries are unique, and each comes from one of the lists. */
export function intersectAllowedTools(one: AllowedTools, other: AllowedTools): AllowedTools {
  if (one === null && other === null) return null;
  const [ones, others] = [one ?? everyTool, other ?? everyTool];
  const both = new Set(ones.flatMap((a) => others.flatMap((b) => bothEntries(a, b))));
  return [...both].filter((entry) => ![...both].some((wider) => wider !== entry && covers(wider, entry)));
}

function bothEntries(a: string, b: string): readonly string[] {
  if (covers(a, b)) return [b];
  return covers(b, a) ? [a] : [];
}

function covers(wider: string, entry: string): boolean {
  if (!wider.endsWith("*")) return wider === entry;
  const begin = wider.slice(0, -1);
  return (entry.endsWith("*") ? entry.slice(0, -1) : entry).startsWith(begin);
}
