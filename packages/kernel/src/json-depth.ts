/**
 * How many objects and lists of JSON from outside may lie within one another. Deeper than any schema or record in use
 * (a property of a JSON Schema takes two levels), and far from where a runtime's own walks run out of stack: `JSON.parse`
 * takes a million levels, a schema 7,000, `JSON.stringify` and `structuredClone` 40,000, each less the fuller the stack is.
 */
export const maxJsonDepth = 128;

/** What is said of such a value, behind its name: `The body is nested …`. */
export const tooDeepText = `nested more than ${maxJsonDepth} levels deep`;

/**
 * `JSON.parse` for what comes from outside.
 * @throws {SyntaxError} for what is no JSON, and for what is nested deeper than `maxJsonDepth`.
 */
export function parseJson(text: string): unknown {
  if (isJsonTextTooDeep(text)) throw new SyntaxError(`it is ${tooDeepText}`);
  return JSON.parse(text);
}

/** Whether a JSON text is nested deeper than `maxDepth`; one pass, no recursion, and no value is built. */
export function isJsonTextTooDeep(text: string, maxDepth = maxJsonDepth): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at === -1) return false; // No JSON: the parser says where.
    } else if (code === openObject || code === openList) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === closeObject || code === closeList) depth -= 1;
  }
  return false;
}

/** The same of a parsed value, level by level: it ends on one that holds itself, too. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const outer of level) {
      if (typeof outer !== "object" || outer === null) continue;
      if (depth === maxJsonDepth) return true;
      for (const inner of Object.values(outer)) if (typeof inner === "object" && inner !== null) next.push(inner);
    }
    level = next;
  }
  return false;
}

const [quote, backslash] = [34, 92];
const [openObject, closeObject] = [123, 125];
const [openList, closeList] = [91, 93];

/** -1: it has none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
