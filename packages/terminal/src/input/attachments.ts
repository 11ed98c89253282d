import { replaceHidden, toFilename, type CreateTurnRequest } from "@incipit/schema";
import { sizeText } from "./size-text.ts";

export type InputPart = Exclude<CreateTurnRequest["input"], string>[number];

/** A text that is pasted: escaped, with the rest of the message, it has to fit into a request of 8 MiB. */
export const maxAttachedBytes = 5 * 1_048_576;
/** A picture: in base64 it has to fit into the same, and the host shrinks what is larger than vendors take. */
export const maxImageBytes = 5_888 * 1_024;
/** Attachments that are kept; the oldest are let go of. */
const maxKeptBytes = 10 * maxAttachedBytes;

interface Attachment {
  /** What stands for it in the editor. */
  readonly label: string;
  readonly bytes: number;
  readonly content:
    | { readonly kind: "image"; readonly part: InputPart }
    | { readonly kind: "text"; readonly text: string };
}

const labelPattern = /\[(?:image|output|text) \d+: [^\]\n]*\]/g;

/** What hangs on a message, each with the words that stand for it in the editor. */
export class Attachments {
  readonly #kept = new Map<string, Attachment>();
  #count = 0;

  addImage({
    name,
    mediaType,
    bytes,
  }: {
    readonly name: string;
    readonly mediaType: string;
    readonly bytes: Uint8Array;
  }): string {
    const filename = toFilename(name.replaceAll(/[[\]]/g, "_").slice(0, 100));
    const part: InputPart = { type: "file", mediaType, data: Buffer.from(bytes).toString("base64"), filename };
    return this.#add(`image ${this.#count + 1}: ${filename}, ${sizeText(bytes.byteLength)}`, bytes.byteLength, {
      kind: "image",
      part,
    });
  }

  addText(text: string): string {
    const bytes = Buffer.byteLength(text);
    const lines = text.split("\n").length.toLocaleString("en-US");
    return this.#add(`text ${this.#count + 1}: ${lines} lines, ${sizeText(bytes)}`, bytes, { kind: "text", text });
  }

  /** @param name What has printed it: an `@` in it names no file. */
  addOutput(name: string, text: string): string {
    const bytes = Buffer.byteLength(text);
    const shown = replaceHidden(name, () => "_")
      .replaceAll(/[\n\t[\]@]/g, "_")
      .slice(0, 60)
      .toWellFormed();
    return this.#add(`output ${this.#count + 1}: ${shown}, ${sizeText(bytes)}`, bytes, { kind: "text", text });
  }

  /** The words in front of the cursor that stand for something whole, when they end there; else `undefined`. */
  labelBefore(text: string): string | undefined {
    return [...text.matchAll(labelPattern)].find(
      ([label], index, all) => all[index] !== undefined && text.endsWith(label) && this.#kept.has(label),
    )?.[0];
  }

  /** The images that a text has words for. */
  imagesIn(text: string): readonly InputPart[] {
    return this.#named(text).flatMap(({ content }) => (content.kind === "image" ? [content.part] : []));
  }

  /** Words of a text that stand for something no longer, such as those of another run. */
  missingIn(text: string): readonly string[] {
    return [...new Set(text.match(labelPattern))].filter((label) => !this.#kept.has(label));
  }

  /** The text with what its words stand for. */
  expanded(text: string): string {
    return text.replaceAll(labelPattern, (label) => {
      const content = this.#kept.get(label)?.content;
      return content?.kind === "text" ? content.text : label;
    });
  }

  #named(text: string): readonly Attachment[] {
    return [...new Set(text.match(labelPattern))].flatMap((label) => this.#kept.get(label) ?? []);
  }

  #add(words: string, bytes: number, content: Attachment["content"]): string {
    this.#count += 1;
    const label = `[${words}]`;
    this.#kept.set(label, { label, bytes, content });
    let sum = [...this.#kept.values()].reduce((all, one) => all + one.bytes, 0);
    for (const { label: oldest, bytes: size } of this.#kept.values()) {
      if (sum <= maxKeptBytes) break;
      this.#kept.delete(oldest);
      sum -= size;
    }
    return label;
  }
}
