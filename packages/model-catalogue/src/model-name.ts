/** `gpt-4o-2024-11-20`, `claude-haiku-4-5-20251001`. */
const date = /-(\d{4}-\d{2}-\d{2}|\d{8})$/;

/** Whether the name is of one snapshot of a model. */
export function isDated(name: string): boolean {
  return date.test(name);
}

/** The names under which a model may be listed, the nearest first: its own, that without its date, that without `-latest`. */
export function candidateNames(name: string): readonly string[] {
  const own = name.replace(/^models\//, ""); // As Google's API lists them.
  return [...new Set([own, own.replace(date, ""), own.replace(/-latest$/, "")])];
}
