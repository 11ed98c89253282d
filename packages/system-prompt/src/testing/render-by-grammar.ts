type Values = ReadonlyMap<string, string | null>;

type Token =
  | { readonly kind: "text" | "insert"; readonly text: string }
  | { readonly kind: "if"; readonly text: string; readonly variable: string; readonly isNegated: boolean }
  | { readonly kind: "else" | "endif"; readonly text: string };

/**
 * Reference implementation for comparison with the parser: regular expressions, a separate search for each block's
 * end, and recursion.
 */
export function renderByGrammar(template: string, values: Values): string {
  return renderTokens(tokenize(template), values);
}

function tokenize(template: string): Token[] {
  const tokens: Token[] = [];
  let rest = template;
  while (rest !== "") {
    if (rest.startsWith("\\[")) {
      tokens.push({ kind: "text", text: "[" });
      rest = rest.slice(2);
      continue;
    }
    const tag = /^\[([^[\]\n\r]*)\]/.exec(rest);
    const token = tag === null ? undefined : readTag(tag[0], tag[1] ?? "");
    tokens.push(token ?? { kind: "text", text: rest.slice(0, 1) });
    rest = rest.slice(token === undefined ? 1 : tag?.[0].length);
  }
  return tokens;
}

function readTag(source: string, content: string): Token | undefined {
  const tag = content.trim();
  if (tag === "else" || tag === "endif") return { kind: tag, text: source };
  if (/^[A-Za-z0-9_]+:(?!\/\/)[^]+$/.test(tag)) return { kind: "insert", text: tag };
  const condition = /^if\s+(!?)([A-Za-z0-9_]+:(?!\/\/)[^]+)$/.exec(tag);
  if (condition === null) return undefined;
  return { kind: "if", text: source, variable: condition[2] ?? "", isNegated: condition[1] === "!" };
}

function renderTokens(tokens: readonly Token[], values: Values): string {
  let text = "";
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === "insert") {
      text += values.get(token.text) ?? "";
      continue;
    }
    const block = token.kind === "if" ? findBlock(tokens, at) : undefined;
    if (token.kind !== "if" || block === undefined) {
      text += token.text;
      continue;
    }
    const hasValue = (values.get(token.variable) ?? null) !== null;
    const [first, second] = [tokens.slice(at + 1, block.otherwise), tokens.slice(block.otherwise + 1, block.end)];
    text += renderTokens(hasValue === token.isNegated ? second : first, values);
    at = block.end;
  }
  return text;
}

function findBlock(tokens: readonly Token[], start: number): { otherwise: number; end: number } | undefined {
  let depth = 0;
  let otherwise: number | undefined;
  for (let at = start + 1; at < tokens.length; at++) {
    const kind = tokens[at]?.kind;
    if (kind === "if") depth++;
    else if (kind === "else" && depth === 0) otherwise ??= at;
    else if (kind === "endif" && depth-- === 0) return { otherwise: otherwise ?? at, end: at };
  }
  return undefined;
}
