/** A part of a body that vendors include in cache keys. */
export interface LayoutPart extends Span {
  /** Identifies the same part in another body. */
  readonly id: string;
  /** Display name: `tools`, `system`, `settings`, `message:0` … */
  readonly name: string;
}

/** Grow with a conversation: chat completions and Anthropic, Gemini, OpenAI's Responses. */
const listKeys = new Set(["messages", "contents", "input"]);
const systemKeys = new Set(["system", "systemInstruction", "instructions"]);
/**
 * In vendors' cache keys: https://docs.claude.com/en/docs/build-with-claude/prompt-caching,
 * https://platform.openai.com/docs/guides/prompt-caching
 */
const settingKeys = new Set(["response_format", "text", "thinking", "tool_choice", "toolConfig"]);
const opensSystem = /^\{\s*"role"\s*:\s*"(system|developer)"/;

/**
 * Returns the parts of a vendor's cache key in key order (tools, system, settings, messages), regardless of their
 * order in the body; `undefined` for an unknown format.
 */
export function requestLayout(body: string): readonly LayoutPart[] | undefined {
  const members = membersOf(body);
  const list = members?.find(({ key }) => listKeys.has(key));
  if (members === undefined || list === undefined) return undefined;
  const named = (keys: ReadonlySet<string>, name: string): readonly LayoutPart[] =>
    members
      .filter(({ key }) => keys.has(key))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ key, start, end }) => ({ id: `member:${key}`, name, start, end }));
  const entries = elementsOf(body, list);
  const firstMessage = entries.findIndex(({ start }) => !opensSystem.test(body.slice(start, start + 64)));
  const systemCount = firstMessage === -1 ? entries.length : firstMessage;
  return [
    ...named(new Set(["tools"]), "tools"),
    ...named(systemKeys, "system"),
    ...entries.slice(0, systemCount).map((span, index) => ({ id: `system:${index}`, name: "system", ...span })),
    ...named(settingKeys, "settings"),
    ...entries
      .slice(systemCount)
      .map((span, index) => ({ id: `entry:${index}`, name: `message:${index}`, ...span })),
  ];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Member extends Span {
  readonly key: string;
}

const codeOf = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma] = [codeOf('"'), codeOf("\\"), codeOf(",")];
const [openObject, closeObject] = [codeOf("{"), codeOf("}")];
const [openArray, closeArray] = [codeOf("["), codeOf("]")];

/** Skips strings quickly, because a body is mostly long strings. */
function membersOf(json: string): readonly Member[] | undefined {
  const members: Member[] = [];
  let at = skipSpace(json, 0);
  if (json[at] !== "{") return undefined;
  at = skipSpace(json, at + 1);
  while (json[at] === '"') {
    const keyEnd = endOfString(json, at);
    const key = json.slice(at + 1, keyEnd - 1);
    const colon = skipSpace(json, keyEnd);
    if (json[colon] !== ":") return undefined;
    const start = skipSpace(json, colon + 1);
    const end = endOfValue(json, start);
    members.push({ key, start, end });
    at = skipSpace(json, end);
    if (json[at] === "}") return members;
    if (json[at] !== ",") return undefined;
    at = skipSpace(json, at + 1);
  }
  return json[at] === "}" ? members : undefined;
}

function elementsOf(json: string, { start, end: arrayEnd }: Span): readonly Span[] {
  if (json[start] !== "[") return [];
  const elements: Span[] = [];
  let at = skipSpace(json, start + 1);
  while (at < arrayEnd - 1) {
    const end = endOfValue(json, at);
    elements.push({ start: at, end });
    at = skipSpace(json, end);
    if (json[at] === ",") at = skipSpace(json, at + 1);
  }
  return elements;
}

function endOfValue(json: string, start: number): number {
  if (json.charCodeAt(start) === quote) return endOfString(json, start);
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfString(json, at) - 1;
    else if (code === openObject || code === openArray) depth += 1;
    else if (code === closeObject || code === closeArray) {
      if (depth === 0) return at; // End of the enclosing value after a number or literal.
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (code === comma && depth === 0) return at;
  }
  return json.length;
}

function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return json.length;
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (json[at] === " " || json[at] === "\n" || json[at] === "\t" || json[at] === "\r") at += 1;
  return at;
}
