/**
 * Maximum nesting of untrusted JSON. Deeper than any schema or record in use (a property of a JSON Schema takes two
 * levels), and far below the depth where a runtime overflows its stack: `JSON.parse` handles a million levels, a schema
 * 7,000, `JSON.stringify` and `structuredClone` 40,000, each fewer the fuller the stack.
 */
export const maxJsonDepth = 128;

/**
 * Maximum number of values in one untrusted JSON text, counted by commas and opening brackets. Validation takes a
 * hundred times as long as receiving the bytes, and blocks the event loop: this many take half a second. The longest
 * list that a host writes has three values for each message of an epoch.
 */
export const maxJsonValues = 200_000;

/** Continues a sentence: `The body is nested …`. */
export const tooDeepText = `nested more than ${maxJsonDepth} levels deep`;
export const tooWideText = `made of more than ${maxJsonValues} values`;

/**
 * `JSON.parse` for untrusted input.
 * @throws {SyntaxError} for invalid JSON, and above a limit of `jsonTextProblem`.
 */
export function parseJson(text: string): unknown {
  const problem = jsonTextProblem(text);
  if (problem !== undefined) throw new SyntaxError(`it is ${problem}`);
  return JSON.parse(text);
}

/**
 * Returns why a JSON text exceeds `maxJsonDepth` or `maxJsonValues`; the reason continues a sentence: `The body is
 * nested …`.
 */
export function jsonTextProblem(text: string): string | undefined {
  const excess = excessOf(text, { maxDepth: maxJsonDepth, maxValues: maxJsonValues });
  if (excess === undefined) return undefined;
  return excess === "depth" ? tooDeepText : tooWideText;
}

export function isJsonTextTooDeep(text: string, maxDepth = maxJsonDepth): boolean {
  return excessOf(text, { maxDepth, maxValues: Infinity }) === "depth";
}

/** Returns whether a JSON text has too many values, at any depth. */
export function isJsonTextTooWide(text: string): boolean {
  return excessOf(text, { maxDepth: Infinity, maxValues: maxJsonValues }) === "values";
}

/** Scans once, without recursion, and builds no value. */
function excessOf(
  text: string,
  { maxDepth, maxValues }: { readonly maxDepth: number; readonly maxValues: number },
): "depth" | "values" | undefined {
  if (text.length <= Math.min(maxDepth, maxValues)) return undefined;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at === -1) return undefined; // Invalid JSON: the parser reports the position.
    } else if (code === comma) {
      values += 1;
      if (values > maxValues) return "values";
    } else if (code === openObject || code === openList) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return "depth";
      if (values > maxValues) return "values";
    } else if (code === closeObject || code === closeList) depth -= 1;
  }
  return undefined;
}

/** Terminates for circular references. */
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

const [quote, backslash, comma] = [34, 92, 44];
const [openObject, closeObject] = [123, 125];
const [openList, closeList] = [91, 93];

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
