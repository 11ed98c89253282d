import type { ColourDepth } from "./colour-depth.ts";

type Paint = (text: string) => string;

const roles = [
  "strong",
  "italic",
  "underline",
  "struck",
  "muted",
  "accent",
  "good",
  "warning",
  "bad",
  "added",
  "removed",
  "code",
  "heading",
  "link",
  "chosen",
  "keyword",
  "literal",
  "title",
] as const;
type Role = (typeof roles)[number];

export type Style = Readonly<Record<Role, Paint>>;

/** One list of 16 colours serves both schemes, since the terminal's theme defines them. */
const of16: Partial<Record<Role, number>> = {
  accent: 36,
  good: 32,
  warning: 33,
  bad: 31,
  added: 32,
  removed: 31,
  code: 36,
  heading: 35,
  link: 34,
  keyword: 35,
  literal: 32,
  title: 34,
};
const ofDark: Partial<Record<Role, number>> = {
  muted: 245,
  accent: 80,
  good: 114,
  warning: 221,
  bad: 203,
  added: 114,
  removed: 210,
  code: 152,
  heading: 183,
  link: 111,
  keyword: 176,
  literal: 150,
  title: 111,
};
const ofLight: Partial<Record<Role, number>> = {
  muted: 242,
  accent: 30,
  good: 28,
  warning: 130,
  bad: 160,
  added: 28,
  removed: 124,
  code: 24,
  heading: 90,
  link: 26,
  keyword: 90,
  literal: 28,
  title: 26,
};
const shapes: Partial<Record<Role, readonly [on: number, off: number]>> = {
  strong: [1, 22],
  italic: [3, 23],
  underline: [4, 24],
  struck: [9, 29],
  muted: [2, 22],
  chosen: [7, 27],
};

export type Scheme = "dark" | "light";

export interface StyleOptions {
  readonly depth: ColourDepth;
  /** Read on each use, because it may change. */
  readonly scheme: () => Scheme;
  /** For screen readers and programs. */
  readonly isPlain?: boolean;
}

export function createStyle({ depth, scheme, isPlain = false }: StyleOptions): Style {
  const begin = (role: Role): string => {
    if (depth === 16) return `\u001B[${of16[role] ?? 39}m`;
    return `\u001B[38;5;${(scheme() === "dark" ? ofDark : ofLight)[role] ?? 0}m`;
  };
  const coloured = depth === 0 ? {} : depth === 16 ? of16 : ofDark;
  const paint = (role: Role): Paint => {
    if (isPlain) return (text) => text;
    if (coloured[role] !== undefined) return (text) => (text === "" ? "" : `${begin(role)}${text}\u001B[39m`);
    const shape = shapes[role];
    if (shape === undefined) return (text) => text;
    return (text) => (text === "" ? "" : `\u001B[${shape[0]}m${text}\u001B[${shape[1]}m`);
  };
  return {
    strong: paint("strong"),
    italic: paint("italic"),
    underline: paint("underline"),
    struck: paint("struck"),
    muted: paint("muted"),
    accent: paint("accent"),
    good: paint("good"),
    warning: paint("warning"),
    bad: paint("bad"),
    added: paint("added"),
    removed: paint("removed"),
    code: paint("code"),
    heading: paint("heading"),
    link: paint("link"),
    chosen: paint("chosen"),
    keyword: paint("keyword"),
    literal: paint("literal"),
    title: paint("title"),
  };
}
