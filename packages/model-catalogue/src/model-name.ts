/** `gpt-4o-2024-11-20`, `claude-haiku-4-5-20251001`. */
const date = /-(\d{4}-\d{2}-\d{2}|\d{8})$/;

/** Whether the name is a dated snapshot. */
export function isDated(name: string): boolean {
  return date.test(name);
}

/** Returns possible names in the catalogue, best first: verbatim, without the date, without `-latest`. */
export function candidateNames(name: string): readonly string[] {
  const own = name.replace(/^models\//, ""); // Prefix in Google's API.
  return [...new Set([own, own.replace(date, ""), own.replace(/-latest$/, "")])];
}
