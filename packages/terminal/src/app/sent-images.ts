import { getCapabilities, Image, type Component } from "@earendil-works/pi-tui";
import type { InputPart } from "../input/attachments.ts";
import type { Style } from "../style/style.ts";

const maxWidthCells = 40;
const maxHeightCells = 12;
const maxBegun = 100;

/** Only in terminals with the Kitty graphics protocol. */
export class SentImages {
  readonly #print: (block: Component) => void;
  readonly #style: Style;
  readonly #waiting = new Map<string, readonly InputPart[]>();
  /** A turn may start before its sender receives the response. */
  readonly #begun = new Set<string>();

  constructor({ print, style }: { readonly print: (block: Component) => void; readonly style: Style }) {
    this.#print = print;
    this.#style = style;
  }

  sent(turnId: string, pictures: readonly InputPart[]): void {
    if (pictures.length === 0 || getCapabilities().images !== "kitty") return;
    if (this.#begun.has(turnId)) this.#show(pictures);
    else this.#waiting.set(turnId, pictures);
  }

  begun(turnId: string): void {
    const [oldest] = this.#begun;
    if (oldest !== undefined && this.#begun.size >= maxBegun) this.#begun.delete(oldest);
    this.#begun.add(turnId);
    this.#show(this.#waiting.get(turnId) ?? []);
    this.#waiting.delete(turnId);
  }

  #show(pictures: readonly InputPart[]): void {
    for (const part of pictures) {
      if (part.type !== "file") continue;
      const theme = { fallbackColor: this.#style.muted };
      this.#print(new Image(part.data, part.mediaType, theme, { maxWidthCells, maxHeightCells }));
    }
  }
}
