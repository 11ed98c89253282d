const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * Returns a key that occurs twice in one object of a JSON text, at any depth, or `undefined`. Parsers disagree on
 * which value counts, so the displayed value might not be the one that runs. One pass, no recursion.
 *
 * @param json Valid JSON.
 */
export function repeatedKey(json: string): string | undefined {
  /** Keys of each open object; `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  let last: string | undefined;
  for (const [text] of json.matchAll(token)) {
    if (text === "{") open.push(new Set());
    else if (text === "[") open.push(undefined);
    else if (text === "}" || text === "]") open.pop();
    else if (text === ":" && last !== undefined) {
      const keys = open.at(-1);
      // Escapes can spell the same key differently.
      const key = last.includes("\\") ? String(JSON.parse(last)) : last.slice(1, -1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
    last = text.startsWith('"') ? text : undefined;
  }
  return undefined;
}
