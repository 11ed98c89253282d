import systemPath from "node:path";

type PathRules = Pick<typeof systemPath, "isAbsolute" | "normalize" | "parse" | "relative" | "sep">;

/** Both paths must be absolute with links resolved. `rules` are those of the system the paths belong to. */
export function isInside(path: string, folder: string, rules: PathRules = systemPath): boolean {
  const root = wholeRoot(folder, rules);
  // On Windows, `relative` returns paths of other drives and shares unchanged.
  if (root === undefined || wholeRoot(path, rules) !== root) return false;
  const below = rules.relative(folder, path);
  return below !== "" && below !== ".." && !below.startsWith(`..${rules.sep}`);
}

function wholeRoot(path: string, rules: PathRules): string | undefined {
  if (!rules.isAbsolute(path)) return undefined;
  const { root } = rules.parse(rules.normalize(path));
  return root === "\\" ? undefined : root.toLowerCase();
}
