import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import type { Style } from "./style.ts";

function selectListTheme(style: Style): SelectListTheme {
  return {
    selectedPrefix: style.accent,
    selectedText: style.accent,
    description: style.muted,
    scrollInfo: style.muted,
    noMatch: style.muted,
  };
}

export function editorTheme(style: Style): EditorTheme {
  return { borderColor: style.muted, selectList: selectListTheme(style) };
}

export function markdownTheme(
  style: Style,
  highlightCode?: (code: string, language?: string) => string[],
): MarkdownTheme {
  return {
    heading: (text) => style.heading(style.strong(text)),
    link: style.link,
    linkUrl: style.muted,
    code: style.code,
    codeBlock: style.code,
    codeBlockBorder: style.muted,
    quote: style.italic,
    quoteBorder: style.muted,
    hr: style.muted,
    listBullet: style.accent,
    bold: style.strong,
    italic: style.italic,
    strikethrough: style.struck,
    underline: style.underline,
    ...(highlightCode === undefined ? {} : { highlightCode }),
  };
}
