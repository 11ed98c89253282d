export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member extends Span {
  readonly key: string;
}

const codeOf = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma] = [codeOf('"'), codeOf("\\"), codeOf(",")];
const [openObject, closeObject] = [codeOf("{"), codeOf("}")];
const [openArray, closeArray] = [codeOf("["), codeOf("]")];

/** Skips strings quickly, because a body is mostly long strings. */
export function membersOf(json: string): readonly Member[] | undefined {
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

export function elementsOf(json: string, { start, end: arrayEnd }: Span): readonly Span[] {
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
