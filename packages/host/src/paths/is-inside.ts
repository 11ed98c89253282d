import systemPath from "node:path";

type PathRules = Pick<typeof systemPath, "isAbsolute" | "normalize" | "parse" | "relative" | "sep">;

/**
 * Returns whether a path is below a folder by their names. Both have to be absolute, with links resolved.
 * @param rules Of the system whose paths they are; defaults to this one.
 */
export function isInside(path: string, folder: string, rules: PathRules = systemPath): boolean {
  const root = wholeRoot(folder, rules);
  // On Windows, what is relative to another drive or share is that path itself.
  if (root === undefined || wholeRoot(path, rules) !== root) return false;
  const below = rules.relative(folder, path);
  return below !== "" && below !== ".." && !below.startsWith(`..${rules.sep}`);
}

/** `undefined`: where the path leads depends on the current folder, or on the current drive. */
function wholeRoot(path: string, rules: PathRules): string | undefined {
  if (!rules.isAbsolute(path)) return undefined;
  const { root } = rules.parse(rules.normalize(path));
  return root === "\\" ? undefined : root.toLowerCase();
}
