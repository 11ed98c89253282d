import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { TextWriter, type FormattedText } from "./text-writer.ts";

const rule = "———";
const itemIndent = "  ";
const deepest = 40;
const linkable = /^(?:https?:\/\/|tg:|mailto:|tel:)\S+$/i;

/** Converts Markdown to text with entities. Non-empty input results in non-empty text. */
export function formatMarkdown(given: string): FormattedText {
  const markdown = given.toWellFormed();
  const writer = new TextWriter();
  try {
    writeBlocks(writer, new Lexer({ gfm: true }).lex(markdown), { indent: "", depth: 0 });
  } catch {
    return { text: markdown.trim(), entities: [] }; // The parser overflows on thousands of nested quotes.
  }
  const formatted = writer.finish();
  return formatted.text === "" ? { text: markdown.trim(), entities: [] } : formatted;
}

interface Place {
  readonly indent: string;
  readonly depth: number;
}

function writeBlocks(writer: TextWriter, tokens: readonly Token[], place: Place): void {
  let isFirst = true;
  let isApart = false;
  for (const token of tokens) {
    if (token.type === "space") isApart = true;
    if (token.type === "space" || token.type === "def" || token.type === "checkbox") continue;
    // A tight list follows its paragraph without a blank line.
    if (!isFirst) writer.write(`${token.type === "list" && !isApart ? "\n" : "\n\n"}${place.indent}`);
    writeBlock(writer, token, place);
    isFirst = false;
    isApart = false;
  }
}

function writeBlock(writer: TextWriter, token: Token, { indent, depth }: Place): void {
  if (!isKnown(token) || depth > deepest) return writer.write(token.raw.trimEnd());
  const inner = { indent, depth: depth + 1 };
  switch (token.type) {
    case "heading":
      return writer.within("bold", () => writeInline(writer, token.tokens, inner.depth));
    case "code": {
      const [language = ""] = token.lang?.split(/\s/, 1) ?? [];
      const more = /^[\w+#.-]{1,32}$/.test(language) ? { language } : {};
      return writer.within("pre", () => writer.write(token.text), more);
    }
    case "blockquote":
      return writer.within("blockquote", () => writeBlocks(writer, token.tokens, inner));
    case "list":
      return writeList(writer, token, inner);
    case "table":
      return writer.within("pre", () => writer.write(drawnTable(token)));
    case "hr":
      return writer.write(rule);
    case "html":
      return writer.write(token.raw.trimEnd());
    case "paragraph":
      return writeInline(writer, token.tokens, inner.depth);
    default:
      return writeInline(writer, [token], inner.depth);
  }
}

function writeList(
  writer: TextWriter,
  { items, ordered, start, loose }: Tokens.List,
  { indent, depth }: Place,
): void {
  for (const [index, item] of items.entries()) {
    if (index > 0) writer.write(`${loose ? "\n\n" : "\n"}${indent}`);
    if (item.task) writer.write(item.checked === true ? "☑ " : "☐ ");
    else writer.write(ordered ? `${(start === "" ? 1 : start) + index}. ` : "• ");
    writeBlocks(writer, item.tokens, { indent: `${indent}${itemIndent}`, depth });
  }
}

function writeInline(writer: TextWriter, tokens: readonly Token[], depth: number): void {
  for (const token of tokens) {
    if (!isKnown(token) || depth > deepest) writer.write(token.raw);
    else writeSpan(writer, token, depth + 1);
  }
}

function writeSpan(writer: TextWriter, token: MarkedToken, depth: number): void {
  switch (token.type) {
    case "strong":
      return writer.within("bold", () => writeInline(writer, token.tokens, depth));
    case "em":
      return writer.within("italic", () => writeInline(writer, token.tokens, depth));
    case "del":
      return writeStruck(writer, token, depth);
    case "codespan":
      return writer.within("code", () => writer.write(token.text));
    case "link":
      return writeLink(writer, token.href, () => writeInline(writer, token.tokens, depth), token.text);
    case "image":
      return writeLink(writer, token.href, () => writer.write(token.text), token.text);
    case "br":
      return writer.write("\n");
    case "text":
      return token.tokens === undefined
        ? writer.write(withoutReferences(token.text))
        : writeInline(writer, token.tokens, depth);
    case "escape":
      return writer.write(withoutReferences(token.text));
    case "html":
      return writer.write(/^<br\s*\/?>$/i.test(token.raw) ? "\n" : token.raw);
    case "checkbox":
      return undefined;
    default:
      return writer.write(token.raw);
  }
}

/** Writes struck-through text; a single tilde means "about" (`~$10`), even if two surround a text. */
function writeStruck(writer: TextWriter, { raw, tokens }: Tokens.Del, depth: number): void {
  const inner = (): void => writeInline(writer, tokens, depth);
  if (raw.startsWith("~~")) return writer.within("strikethrough", inner);
  writer.write("~");
  inner();
  writer.write("~");
}

function writeLink(writer: TextWriter, href: string, label: () => void, text: string): void {
  if (text.trim() === "") return writer.write(href);
  if (linkable.test(href)) return writer.within("text_link", label, { url: href });
  label();
  if (href !== "" && href !== text) writer.write(` (${href})`);
}

function drawnTable({ header, rows }: Tokens.Table): string {
  const lines = [header, ...rows].map((row) => row.map(({ tokens }) => plain(tokens)));
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => lengthOf(cells[column] ?? ""))));
  const drawn = lines.map((cells) =>
    widths
      .map((width, column) => padded(cells[column] ?? "", width))
      .join(" │ ")
      .trimEnd(),
  );
  const [first = "", ...others] = drawn;
  return [first, widths.map((width) => "─".repeat(width)).join("─┼─"), ...others].join("\n");
}

function plain(tokens: readonly Token[]): string {
  const writer = new TextWriter();
  writeInline(writer, tokens, 0);
  return writer.finish().text.replaceAll("\n", " ");
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(width - lengthOf(text));
}

const types: ReadonlySet<string> = new Set<MarkedToken["type"]>([
  ...(["paragraph", "heading", "code", "blockquote", "list", "list_item", "checkbox", "table", "hr"] as const),
  ...(["br", "strong", "em", "del", "codespan", "link", "image", "text", "escape", "html"] as const),
]);

function isKnown(token: Token): token is MarkedToken {
  return types.has(token.type);
}

const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00A0" };

/** https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references */
function withoutReferences(text: string): string {
  return text.replaceAll(/&(?:#(\d{2,6})|(amp|lt|gt|quot|nbsp));/g, (whole, decimal, name) => {
    if (name !== undefined) return references[String(name)] ?? whole;
    return String.fromCodePoint(Number(decimal)).toWellFormed();
  });
}
