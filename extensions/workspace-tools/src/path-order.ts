/** Folder by folder, names by UTF-8 bytes. A slash sorts before every other character. */
export function inPathOrder(paths: readonly string[]): readonly string[] {
  const known = paths.map((path) => ({ path, key: Buffer.from(path.replaceAll("/", "\0")) }));
  return known.toSorted((a, b) => Buffer.compare(a.key, b.key)).map(({ path }) => path);
}
