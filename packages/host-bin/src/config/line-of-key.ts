/** Line of a key in TOML text, counted from 1; the nearest table where the key itself is written in another way. */
export function lineOfKey(text: string, path: readonly PropertyKey[]): number {
  const wanted = path.map(String);
  let table: readonly string[] = [];
  let nearest = 1;
  let nearestDepth = 0;
  const note = (found: readonly string[], line: number): boolean => {
    const isPrefix = found.length <= wanted.length && found.every((part, index) => wanted[index] === part);
    if (isPrefix && found.length > nearestDepth) {
      nearest = line;
      nearestDepth = found.length;
    }
    return isPrefix && found.length === wanted.length;
  };
  for (const [index, line] of text.split("\n").entries()) {
    const header = /^\s*\[\[?([^\]]+)\]\]?/.exec(line)?.[1];
    const key = /^\s*([^=#[\]]+?)\s*=/.exec(line)?.[1];
    if (header !== undefined) table = splitKey(header);
    const isFound =
      header !== undefined
        ? note(table, index + 1)
        : key !== undefined && note([...table, ...splitKey(key)], index + 1);
    if (isFound) break;
  }
  return nearest;
}

function splitKey(key: string): readonly string[] {
  return key.split(".").map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"));
}
