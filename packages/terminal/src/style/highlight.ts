import type { CodeNode, Lowlight } from "./lowlight.js";
import type { Style } from "./style.ts";

const roles: readonly (readonly [pattern: RegExp, role: keyof Style])[] = [
  [/keyword|built_in|literal|selector-tag|meta/, "keyword"],
  [/string|regexp|number|symbol|attr\b/, "literal"],
  [/comment|quote/, "muted"],
  [/title|name|section|class_|function_|type/, "title"],
  [/addition/, "added"],
  [/deletion/, "removed"],
];

/** Matches the start of a fence with a language, also inside lists and quotes. */
const namedFence = /(?:`{3}|~{3})[ \t]*[^\s`~]/;

/** The languages are a large part of the terminal's code, so they are loaded with the first code block. */
export class Highlighter {
  readonly #style: Style;
  #lowlight: Lowlight | undefined;
  #loading: Promise<void> | undefined;

  constructor(style: Style) {
    this.#style = style;
  }

  /** `undefined` if nothing is loading; never loads without colours. */
  loadFor(text: string): Promise<void> | undefined {
    if (this.#lowlight !== undefined || !namedFence.test(text)) return undefined;
    if (this.#style.keyword("x") === "x") return undefined;
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    const { common, createLowlight } = await import("./lowlight.js");
    this.#lowlight = createLowlight(common);
  }

  lines(code: string, language: string): string[] {
    const name = language.toLowerCase();
    const lowlight = this.#lowlight;
    if (lowlight?.registered(name) !== true) return code.split("\n").map((line) => this.#style.code(line));
    return [...this.#pieces(lowlight.highlight(name, code).children, undefined)].join("").split("\n");
  }

  *#pieces(nodes: readonly CodeNode[], role: keyof Style | undefined): Generator<string> {
    for (const { type, value = "", children = [], properties } of nodes) {
      if (type !== "text") yield* this.#pieces(children, roleOf(properties?.className) ?? role);
      // Styles each line separately, since lines are printed one by one.
      else yield value.replaceAll(/[^\n]+/g, (text) => (role === undefined ? text : this.#style[role](text)));
    }
  }
}

function roleOf(names: unknown): keyof Style | undefined {
  if (!Array.isArray(names)) return undefined;
  const text = names.join(" ");
  return roles.find(([pattern]) => pattern.test(text))?.[1];
}
