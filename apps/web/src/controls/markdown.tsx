import type { MarkedToken, Token, Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { memo } from "preact/compat";
import { useEffect, useState } from "preact/hooks";
import { amounts } from "../text/amounts.ts";
import { words } from "../text/words.ts";
import { CodeBlock } from "./code-block.tsx";
import { Button, Paragraph } from "./fields.tsx";
import { markdownParser } from "./markdown-parser.ts";
import { MarkdownPieces } from "./markdown-pieces.ts";

const drawnAtOnce = 8_000;
const shownAtFirst = 100_000;
/** Maximum number of pieces drawn while the text grows; earlier ones appear once it is complete. */
const growingPieces = 16;
/** Maximum length of code drawn while it grows, because each update redraws the whole piece. */
const longestGrowingCode = 16_000;
const deepest = 40;

/** Creates no HTML from text: tokens become elements, and HTML tokens are shown as text. */
export const Markdown = memo(({ text }: { readonly text: string }): JSX.Element =>
  text.length > drawnAtOnce ? <LongMarkdown text={text} /> : <Piece text={text} />,
);

const Piece = memo(({ text }: { readonly text: string }): JSX.Element => {
  let tokens: readonly Token[];
  try {
    tokens = markdownParser.lexer(text);
  } catch {
    // Nested too deeply for the parser.
    return <Paragraph class="said">{text}</Paragraph>;
  }
  return (
    <div class="markdown" dir="auto">
      {drawn(tokens, 0)}
    </div>
  );
});

function LongMarkdown({ text }: { readonly text: string }): JSX.Element {
  const [pieces] = useState(() => new MarkdownPieces());
  const [drawnLength, setDrawnLength] = useState(drawnAtOnce);
  const [wanted, setWanted] = useState(shownAtFirst);
  const { settled, settledLength, rest, isAll } = pieces.take(text, drawnLength);
  useEffect(() => {
    if (isAll || drawnLength >= wanted) return undefined;
    const frame = requestAnimationFrame(() => setDrawnLength(drawnLength + drawnAtOnce));
    return () => cancelAnimationFrame(frame);
  }, [drawnLength, wanted, isAll]);
  return (
    <div class="pieces">
      {settled.map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
      {isAll && <Piece text={rest} />}
      {!isAll && drawnLength >= wanted && (
        <div class="row">
          <Button
            text={words.state.more}
            onClick={() => {
              setDrawnLength(settledLength);
              setWanted(settledLength + shownAtFirst);
            }}
          />
          <span class="quiet">{words.messages.notDrawn(amounts.count(rest.length))}</span>
        </div>
      )}
    </div>
  );
}

/** Final pieces are parsed and drawn once. */
export function GrowingMarkdown({ text }: { readonly text: string }): JSX.Element {
  const [pieces] = useState(() => new MarkdownPieces({ longestCode: longestGrowingCode }));
  const { settled, rest } = pieces.take(text);
  if (settled.length === 0) return <Piece text={rest} />;
  const first = Math.max(0, settled.length - growingPieces);
  return (
    <div class="pieces">
      {first > 0 && <p class="quiet">{words.messages.beginningLater}</p>}
      {settled.slice(first).map((piece, index) => (
        <Piece key={first + index} text={piece} />
      ))}
      <Piece text={rest} />
    </div>
  );
}

function drawn(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  return (tokens ?? []).map((token, index) => <Drawn key={index} token={token} depth={depth} />);
}

function Drawn({ token, depth }: { readonly token: Token; readonly depth: number }): JSX.Element {
  if (!isKnown(token) || depth > deepest) return <>{token.raw}</>;
  const inner = (tokens: readonly Token[] | undefined): ComponentChildren => drawn(tokens, depth + 1);
  switch (token.type) {
    case "space":
    case "def":
      return <></>;
    case "paragraph":
      return <p>{inner(token.tokens)}</p>;
    case "heading": {
      // Levels one and two are reserved for the page.
      const Heading = headings[Math.min(token.depth - 1, headings.length - 1)] ?? "h6";
      return <Heading>{inner(token.tokens)}</Heading>;
    }
    case "code":
      return <CodeBlock code={token.text} language={token.lang?.split(/\s/, 1)[0]} />;
    case "blockquote":
      return <blockquote>{inner(token.tokens)}</blockquote>;
    case "list":
      return token.ordered ? (
        <ol start={token.start === "" ? 1 : token.start}>{inner(token.items)}</ol>
      ) : (
        <ul>{inner(token.items)}</ul>
      );
    case "list_item":
      return <li>{inner(token.tokens)}</li>;
    case "checkbox":
      return (
        <input type="checkbox" checked={token.checked} disabled aria-label={token.checked ? "done" : "open"} />
      );
    case "table":
      return <Table token={token} inner={inner} />;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "strong":
      return <strong>{inner(token.tokens)}</strong>;
    case "em":
      return <em>{inner(token.tokens)}</em>;
    case "del":
      return <del>{inner(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "link":
      return <Link href={token.href}>{inner(token.tokens)}</Link>;
    case "image":
      // External images become links: nothing is requested from other hosts.
      return <Link href={token.href}>{token.text === "" ? token.href : token.text}</Link>;
    case "text":
      return token.tokens === undefined ? <>{withoutEntities(token.text)}</> : <>{inner(token.tokens)}</>;
    case "escape":
      return <>{withoutEntities(token.text)}</>;
    case "html":
      return <>{token.raw}</>;
  }
}

const headings = ["h3", "h4", "h5", "h6"] as const;

function Table({
  token: { header, rows },
  inner,
}: {
  readonly token: Tokens.Table;
  readonly inner: (tokens: readonly Token[]) => ComponentChildren;
}): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index} scope="col" align={cell.align ?? undefined}>
              {inner(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, index) => (
              <td key={index} align={cell.align ?? undefined}>
                {inner(cell.tokens)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }): JSX.Element {
  if (!/^(?:https?:|mailto:)/i.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

const types: ReadonlySet<string> = new Set<MarkedToken["type"]>([
  ...(["space", "def", "paragraph", "heading", "code", "blockquote", "list", "list_item", "checkbox"] as const),
  ...(["table", "hr", "br", "strong", "em", "del", "codespan", "link", "image", "text", "escape", "html"] as const),
]);

function isKnown(token: Token): token is MarkedToken {
  return types.has(token.type);
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
};
const largestCodePoint = 0x10_ff_ff;

/** Models write these: https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name)] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= largestCodePoint ? String.fromCodePoint(code) : whole;
  });
}
