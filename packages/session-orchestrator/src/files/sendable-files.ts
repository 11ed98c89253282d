import type { FilePart, InputPart, MessagePart } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { isUtf8 } from "node:buffer";
import { fileKindOf, type FileKind } from "./file-type.ts";
import { fittedPicture } from "./fitted-picture.ts";

/** Clients of `/v1` resend each image with every call. */
const maxKept = 32;
const maxKeptLength = 32 * 1_048_576;

export type SendablePart =
  | { readonly kind: "part"; readonly part: InputPart }
  | { readonly kind: "refused"; readonly why: string };

/** Converts files to forms that vendors accept; sends SVG as text. Decodes one image at a time to limit memory. */
export class SendableFiles {
  readonly #kept = new Map<string, SendablePart>();
  #keptLength = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws {ServiceError} `INVALID_REQUEST` with the name of the rejected file. */
  async input(input: string | readonly InputPart[]): Promise<string | InputPart[]> {
    if (typeof input === "string") return input;
    const parts: InputPart[] = [];
    for (const part of input) {
      const sendable = part.type === "file" ? await this.of(part) : ({ kind: "part", part } as const);
      if (sendable.kind === "refused") throw unsendable(part, sendable.why, '"input"');
      parts.push(sendable.part);
    }
    return parts;
  }

  of(file: FilePart): Promise<SendablePart> {
    const made = this.#last.then(() => this.#of(file));
    this.#last = made.catch(() => undefined); // The caller receives the error.
    return made;
  }

  /** Converts images like those of users; other files stay unchanged. `why` is the end of a sentence. */
  async ofTool<Given extends Pick<FilePart, "mediaType" | "data">>(
    given: Given,
  ): Promise<{ readonly file: Given; readonly why: string | undefined }> {
    const kind = fileKindOf(Buffer.from(given.data, "base64"));
    if (kind === undefined || !kind.startsWith("image/") || kind === "image/svg+xml")
      return { file: given, why: undefined };
    const made = await this.of({ type: "file", mediaType: kind, data: given.data });
    if (made.kind === "refused") return { file: given, why: made.why };
    if (made.part.type !== "file" || made.part.data === given.data) return { file: given, why: undefined };
    const { mediaType, data } = made.part;
    return { file: { ...given, mediaType, data }, why: undefined };
  }

  async #of(file: FilePart): Promise<SendablePart> {
    const content = Buffer.from(file.data, "base64");
    if (saysText(file.mediaType) && isText(content)) return { kind: "part", part: file };
    const kind = fileKindOf(content);
    if (kind === undefined || !kind.startsWith("image/")) return otherFile(file, { content, kind });
    if (kind === "image/svg+xml") return asText(file, content);
    const key = Bun.SHA256.hash(`${file.mediaType}\n${file.filename ?? ""}\n${file.data}`, "hex");
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const fitted = await fittedPicture(content, kind);
    if (fitted.kind === "refused") return this.#keep(key, fitted);
    const isSame = fitted.content === content;
    if (isSame && fitted.mediaType === file.mediaType) return this.#keep(key, { kind: "part", part: file });
    const data = isSame ? file.data : fitted.content.toString("base64");
    return this.#keep(key, { kind: "part", part: { ...file, mediaType: fitted.mediaType, data } });
  }

  #keep(key: string, made: SendablePart): SendablePart {
    this.#kept.set(key, made);
    this.#keptLength += lengthOf(made);
    for (const [oldest, value] of this.#kept) {
      if (this.#kept.size <= maxKept && this.#keptLength <= maxKeptLength) break;
      this.#kept.delete(oldest);
      this.#keptLength -= lengthOf(value);
    }
    return made;
  }
}

function saysText(mediaType: string): boolean {
  return !mediaType.startsWith("image/") && !["application/pdf", "application/octet-stream"].includes(mediaType);
}

/** Text may resemble an image or PDF header: "BMW …", "GIF89a is a format". */
function isText(content: Buffer): boolean {
  return isUtf8(content) && !content.includes(0);
}

/** The provider knows which types its model accepts. */
function otherFile(
  file: FilePart,
  { content, kind }: { readonly content: Buffer; readonly kind: FileKind | undefined },
): SendablePart {
  if (kind === "application/pdf") {
    if (!content.includes("%%EOF"))
      return { kind: "refused", why: "it is a PDF that is cut off; send the whole file" };
    return { kind: "part", part: file.mediaType === kind ? file : { ...file, mediaType: kind } };
  }
  if (file.mediaType === "application/pdf")
    return { kind: "refused", why: "its content is not that of a PDF; send another file" };
  if (!file.mediaType.startsWith("image/")) return { kind: "part", part: file };
  const why = "its content is not that of a PNG, JPEG, GIF, WebP or BMP picture; send another file";
  return { kind: "refused", why };
}

function asText(file: FilePart, content: Buffer): SendablePart {
  const name = file.filename ?? "picture.svg";
  return {
    kind: "part",
    part: { type: "text", text: `${name}:\n\n${content.toString("utf8").toWellFormed()}\n\n` },
  };
}

function lengthOf(made: SendablePart): number {
  return made.kind === "part" && made.part.type === "file" ? made.part.data.length : 0;
}

export function unsendable(part: MessagePart, why: string, field: string): ServiceError {
  const named = part.type === "file" ? `"${part.filename ?? part.mediaType}" (${sizeOf(part)} bytes)` : "a file";
  const message = `Cannot send ${named}: ${why}`;
  return new ServiceError("INVALID_REQUEST", message, { details: [{ field, message }] });
}

function sizeOf({ data }: FilePart): number {
  return Buffer.byteLength(data, "base64");
}
