import { replaceHidden, toFilename, type CreateTurnRequest } from "@incipit/schema";
import { sizeText } from "./size-text.ts";

export type InputPart = Exclude<CreateTurnRequest["input"], string>[number];

/** Escaped, and with the rest of the message, it must fit into a request of 8 MiB. */
export const maxAttachedBytes = 5 * 1_048_576;
/** In base64 it must fit into the same request; the host shrinks images above the providers' limits. */
export const maxImageBytes = 5_888 * 1_024;
const maxKeptBytes = 10 * maxAttachedBytes;

interface Attachment {
  readonly label: string;
  readonly bytes: number;
  readonly content:
    | { readonly kind: "image"; readonly part: InputPart }
    | { readonly kind: "text"; readonly text: string };
}

const labelPattern = /\[(?:image|output|text) \d+: [^\]\n]*\]/g;

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

  /** @param name An `@` in it names no file. */
  addOutput(name: string, text: string): string {
    const bytes = Buffer.byteLength(text);
    const shown = replaceHidden(name, () => "_")
      .replaceAll(/[\n\t[\]@]/g, "_")
      .slice(0, 60)
      .toWellFormed();
    return this.#add(`output ${this.#count + 1}: ${shown}, ${sizeText(bytes)}`, bytes, { kind: "text", text });
  }

  labelBefore(text: string): string | undefined {
    return [...text.matchAll(labelPattern)].find(
      ([label], index, all) => all[index] !== undefined && text.endsWith(label) && this.#kept.has(label),
    )?.[0];
  }

  imagesIn(text: string): readonly InputPart[] {
    return this.#named(text).flatMap(({ content }) => (content.kind === "image" ? [content.part] : []));
  }

  /** Placeholders without attachment, such as from another run. */
  missingIn(text: string): readonly string[] {
    return [...new Set(text.match(labelPattern))].filter((label) => !this.#kept.has(label));
  }

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
