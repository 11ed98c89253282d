/**
 * Returns whether a granted path equals or is below a folder, by name only. Links are resolved by the driver; a path
 * with `..` matches only itself.
 */
export function isPathWithin(path: string, folder: string): boolean {
  const parts = partsOf(path);
  const folderParts = partsOf(folder);
  if (parts.includes("..") || folderParts.includes("..")) return path === folder;
  return folderParts.every((part, index) => part === parts[index]);
}

/** The first part is `$cwd`, an empty string for an absolute path, or a drive letter. */
function partsOf(path: string): readonly string[] {
  const separator = /^[A-Za-z]:/.test(path) ? /[\\/]/ : "/"; // Elsewhere a backslash is part of a name.
  return path.split(separator).filter((part, index) => index === 0 || (part !== "" && part !== "."));
}
