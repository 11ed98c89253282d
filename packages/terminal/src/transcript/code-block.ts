import { wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";
import type { Highlighter } from "../style/highlight.ts";
import type { Style } from "../style/style.ts";
import { Block, harmless } from "./block.ts";
import type { DonePiece } from "./streamed-markdown.ts";

type CodePiece = Extract<DonePiece, { kind: "code" }>;

const indent = "  ";

export function codeBlock(
  { language, lines, isFirst, isLast }: CodePiece,
  { style, highlighter }: { readonly style: Style; readonly highlighter: Highlighter },
): Component {
  return new Block((width) => {
    const code = lines.length === 0 ? [] : highlighter.lines(harmless(lines.join("\n")), language);
    return [
      ...(isFirst ? [style.muted(`\`\`\`${harmless(language)}`)] : []),
      ...code.flatMap((line) =>
        wrapTextWithAnsi(line, Math.max(1, width - indent.length)).map((row) => indent + row),
      ),
      ...(isLast ? [style.muted("```")] : []),
    ];
  });
}
