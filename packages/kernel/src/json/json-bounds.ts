/**
 * How many objects and lists of JSON from outside may lie within one another. Deeper than any schema or record in use
 * (a property of a JSON Schema takes two levels), and far from where a runtime's own walks run out of stack: `JSON.parse`
 * takes a million levels, a schema 7,000, `JSON.stringify` and `structuredClone` 40,000, each less the fuller the stack is.
 */
export const maxJsonDepth = 128;

/**
 * How many values one JSON text from outside may be made of, whatever lies in what: counted by its commas and opening brackets.
 * To check a value against a schema takes a hundred times as long as its bytes took to come, and nobody else gets a turn
 * meanwhile: so many take half a second. The longest list that a host writes itself has three for each message of an epoch.
 */
export const maxJsonValues = 200_000;

/** What is said of such a value, behind its name: `The body is nested …`. */
export const tooDeepText = `nested more than ${maxJsonDepth} levels deep`;
export const tooWideText = `made of more than ${maxJsonValues} values`;

/**
 * `JSON.parse` for what comes from outside.
 * @throws {SyntaxError} for what is no JSON, and for what goes over a bound of `jsonTextProblem`.
 */
export function parseJson(text: string): unknown {
  const problem = jsonTextProblem(text);
  if (problem !== undefined) throw new SyntaxError(`it is ${problem}`);
  return JSON.parse(text);
}

/** What is said of a JSON text that goes over `maxJsonDepth` or `maxJsonValues`, behind its name: `The body is nested …`. */
export function jsonTextProblem(text: string): string | undefined {
  const excess = excessOf(text, { maxDepth: maxJsonDepth, maxValues: maxJsonValues });
  if (excess === undefined) return undefined;
  return excess === "depth" ? tooDeepText : tooWideText;
}

/** Whether a JSON text is nested deeper than `maxDepth`. */
export function isJsonTextTooDeep(text: string, maxDepth = maxJsonDepth): boolean {
  return excessOf(text, { maxDepth, maxValues: Infinity }) === "depth";
}

/** Whether a JSON text is made of more values than `maxJsonValues`, however deep it is. */
export function isJsonTextTooWide(text: string): boolean {
  return excessOf(text, { maxDepth: Infinity, maxValues: maxJsonValues }) === "values";
}

/** One pass, no recursion, and no value is built. */
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
      if (at === -1) return undefined; // No JSON: the parser says where.
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

const [quote, backslash, comma] = [34, 92, 44];
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
