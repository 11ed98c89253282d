import { visibleWidth, wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";
import { escapeHidden } from "@incipit/schema/text";

const tab = "    ";

export function harmless(text: string): string {
  return escapeHidden(text).replaceAll("\t", tab);
}

export class Block implements Component {
  readonly #lines: (width: number) => readonly string[];
  #kept: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(lines: (width: number) => readonly string[]) {
    this.#lines = lines;
  }

  render(width: number): readonly string[] {
    if (this.#kept?.width !== width) this.#kept = { width, lines: this.#lines(width) };
    return this.#kept.lines;
  }

  invalidate(): void {
    this.#kept = undefined;
  }
}

export const emptyRow: Component = new Block(() => [""]);

export function hanging(
  text: string,
  { first, width, rest = " ".repeat(first.length) }: HangingOptions,
): readonly string[] {
  if (!text.includes("\n") && visibleWidth(text) <= width - first.length) return [`${first}${text}`];
  const inner = Math.max(1, width - Math.max(first.length, rest.length));
  return wrapTextWithAnsi(text, inner).map((line, index) => `${index === 0 ? first : rest}${line}`);
}

export interface HangingOptions {
  /** Without colours, because its characters are counted. */
  readonly first: string;
  readonly width: number;
  readonly rest?: string;
}

export function wrappedBlock(lines: readonly string[]): Component {
  return new Block((width) => lines.flatMap((line) => wrapTextWithAnsi(line, width)));
}
