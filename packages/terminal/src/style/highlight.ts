import type { CodeNode, Lowlight } from "./lowlight.js";
import type { Style } from "./style.ts";

/** The names that highlight.js gives to what it finds, by what they look like. */
const roles: readonly (readonly [pattern: RegExp, role: keyof Style])[] = [
  [/keyword|built_in|literal|selector-tag|meta/, "keyword"],
  [/string|regexp|number|symbol|attr\b/, "literal"],
  [/comment|quote/, "muted"],
  [/title|name|section|class_|function_|type/, "title"],
  [/addition/, "added"],
  [/deletion/, "removed"],
];

/** Where a block of code begins that says its language, also in a list or a quotation. */
const namedFence = /(?:`{3}|~{3})[ \t]*[^\s`~]/;

/**
 * Sets code off by what it is in its language. The languages are a good part of the terminal's code and most conversations are
 * without any: they are loaded with the first block of code, which waits for them.
 */
export class Highlighter {
  readonly #style: Style;
  #lowlight: Lowlight | undefined;
  #loading: Promise<void> | undefined;

  constructor(style: Style) {
    this.#style = style;
  }

  /** Loads the languages when a text has code in one, once; where nobody sees colours, never. `undefined`: nothing to wait for. */
  loadFor(text: string): Promise<void> | undefined {
    if (this.#lowlight !== undefined || !namedFence.test(text)) return undefined;
    if (this.#style.keyword("x") === "x") return undefined;
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    const { common, createLowlight } = await import("./lowlight.js");
    this.#lowlight = createLowlight(common);
  }

  /** The lines of a piece of code. */
  lines(code: string, language: string): string[] {
    const name = language.toLowerCase();
    const lowlight = this.#lowlight;
    if (lowlight?.registered(name) !== true) return code.split("\n").map((line) => this.#style.code(line));
    return [...this.#pieces(lowlight.highlight(name, code).children, undefined)].join("").split("\n");
  }

  *#pieces(nodes: readonly CodeNode[], role: keyof Style | undefined): Generator<string> {
    for (const { type, value = "", children = [], properties } of nodes) {
      if (type !== "text") yield* this.#pieces(children, roleOf(properties?.className) ?? role);
      // A line ends what it has begun: it is printed by itself.
      else yield value.replaceAll(/[^\n]+/g, (text) => (role === undefined ? text : this.#style[role](text)));
    }
  }
}

function roleOf(names: unknown): keyof Style | undefined {
  if (!Array.isArray(names)) return undefined;
  const text = names.join(" ");
  return roles.find(([pattern]) => pattern.test(text))?.[1];
}
