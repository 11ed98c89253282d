/**
 * Paths in the order in which a walk comes to them: folder by folder, names by their UTF-8 bytes. For that, a slash comes
 * before whatever a name can hold.
 */
export function inPathOrder(paths: readonly string[]): readonly string[] {
  const known = paths.map((path) => ({ path, key: Buffer.from(path.replaceAll("/", "\0")) }));
  return known.toSorted((a, b) => Buffer.compare(a.key, b.key)).map(({ path }) => path);
}
