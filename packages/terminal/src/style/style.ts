import type { ColourDepth } from "./colour-depth.ts";

type Paint = (text: string) => string;

/** The 16 colours serve both schemes, since the terminal's theme defines them. */
interface Colour {
  readonly of16?: number;
  readonly dark: number;
  readonly light: number;
}

const colours = {
  muted: { dark: 245, light: 242 },
  accent: { of16: 36, dark: 80, light: 30 },
  good: { of16: 32, dark: 114, light: 28 },
  warning: { of16: 33, dark: 221, light: 130 },
  bad: { of16: 31, dark: 203, light: 160 },
  added: { of16: 32, dark: 114, light: 28 },
  removed: { of16: 31, dark: 210, light: 124 },
  code: { of16: 36, dark: 152, light: 24 },
  heading: { of16: 35, dark: 183, light: 90 },
  link: { of16: 34, dark: 111, light: 26 },
  keyword: { of16: 35, dark: 176, light: 90 },
  literal: { of16: 32, dark: 150, light: 28 },
  title: { of16: 34, dark: 111, light: 26 },
} as const satisfies Record<string, Colour>;
const shapes = {
  strong: [1, 22],
  italic: [3, 23],
  underline: [4, 24],
  struck: [9, 29],
  muted: [2, 22],
  chosen: [7, 27],
} as const satisfies Record<string, readonly [on: number, off: number]>;

type Role = keyof typeof colours | keyof typeof shapes;
export type Style = Readonly<Record<Role, Paint>>;

const colourOf: ReadonlyMap<string, Colour> = new Map(Object.entries(colours));
const shapeOf: ReadonlyMap<string, readonly [on: number, off: number]> = new Map(Object.entries(shapes));

export type Scheme = "dark" | "light";

export interface StyleOptions {
  readonly depth: ColourDepth;
  /** Read on each use, because it may change. */
  readonly scheme: () => Scheme;
  /** For screen readers and programs. */
  readonly isPlain?: boolean;
}

export function createStyle({ depth, scheme, isPlain = false }: StyleOptions): Style {
  const paint = (role: Role): Paint => {
    const colour = colourOf.get(role);
    if (isPlain) return (text) => text;
    if (colour !== undefined && depth !== 0 && (depth === 256 || colour.of16 !== undefined)) {
      const begin = (): string => (depth === 16 ? `${colour.of16}` : `38;5;${colour[scheme()]}`);
      return (text) => (text === "" ? "" : `\u001B[${begin()}m${text}\u001B[39m`);
    }
    const shape = shapeOf.get(role);
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
