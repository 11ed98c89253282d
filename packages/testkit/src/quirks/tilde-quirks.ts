import type { Reported } from "./reported.ts";

export interface TildeQuirk extends Reported {
  readonly markdown: string;
  /** By default the Markdown itself. */
  readonly text?: string;
  readonly struck: readonly string[];
}

export const tildeQuirks: readonly TildeQuirk[] = [
  {
    id: "about-a-number",
    does: "one tilde stands around a word",
    sources: ["anthropics/claude-code#9757"],
    markdown: "~15M minutes, ~test~ and ~20M",
    struck: [],
  },
  {
    id: "around-two-words",
    does: "one tilde stands around two words",
    sources: ["anthropics/claude-code#19251", "pi#2332"],
    markdown: "~test test~",
    struck: [],
  },
  {
    id: "in-brackets",
    does: "numbers in brackets begin with a tilde",
    sources: ["github/copilot-cli#1936", "markedjs/marked#3863"],
    markdown: "Make a fix (~2000 lines) and delete old file (~5000 lines)",
    struck: [],
  },
  {
    id: "home-folder-twice",
    does: "a home folder is named twice",
    sources: ["anthropics/claude-code#9757"],
    markdown: "Copy ~/a to ~/b, ~10% of it",
    struck: [],
  },
  {
    id: "end-of-a-word",
    does: "words of a chat end with a tilde",
    sources: ["chatboxai/chatbox#1856"],
    markdown: "喵呜~♡这就为您呈上暗夜女王的馈赠呦~",
    struck: [],
  },
  {
    id: "two-tildes",
    does: "two tildes stand around a word",
    sources: ["pluk-inc/markdown-preview#278"],
    markdown: "~text~ and ~~gone~~",
    text: "~text~ and gone",
    struck: ["gone"],
  },
];
