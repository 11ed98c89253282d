const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * A key that one object of a JSON text has twice, at any depth; `undefined`: none has. Readers of such a text disagree on
 * which value counts, so that what a person is shown need not be what runs. One pass, no recursion.
 *
 * @param json What `JSON.parse` takes.
 */
export function repeatedKey(json: string): string | undefined {
  /** The keys of each object that is open; of a list: `undefined`. */
  const open: (Set<string> | undefined)[] = [];
  let last: string | undefined;
  for (const [text] of json.matchAll(token)) {
    if (text === "{") open.push(new Set());
    else if (text === "[") open.push(undefined);
    else if (text === "}" || text === "]") open.pop();
    else if (text === ":" && last !== undefined) {
      const keys = open.at(-1);
      const key = last.includes("\\") ? String(JSON.parse(last)) : last.slice(1, -1); // Spelled in two ways it is the same.
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
    last = text.startsWith('"') ? text : undefined;
  }
  return undefined;
}
