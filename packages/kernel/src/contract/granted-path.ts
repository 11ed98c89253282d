/**
 * Whether a path of a grant is another one or below it, by their names alone: where links lead is for the driver to
 * judge, and `..` leads nowhere that is known here.
 */
export function isPathWithin(path: string, folder: string): boolean {
  const parts = partsOf(path);
  const folderParts = partsOf(folder);
  if (parts.includes("..") || folderParts.includes("..")) return path === folder;
  return folderParts.every((part, index) => part === parts[index]);
}

/** The first part is `$cwd`, empty for an absolute path, or the letter of a drive. */
function partsOf(path: string): readonly string[] {
  const separator = /^[A-Za-z]:/.test(path) ? /[\\/]/ : "/"; // Elsewhere a backslash is part of a name.
  return path.split(separator).filter((part, index) => index === 0 || (part !== "" && part !== "."));
}
