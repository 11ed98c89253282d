import { decodeText, type CreateTurnRequest } from "@incipit/schema";
import { basename, resolve } from "node:path";

type InputPart = Exclude<CreateTurnRequest["input"], string>[number];

/** In base64: the host accepts requests of 8 MiB, and the remainder is for the rest of the message. */
const maxSentBytes = 7_936 * 1_024;

/** Returns a message with files. Text files are sent as text, which every model accepts. */
export async function withFiles(text: string, paths: readonly string[]): Promise<CreateTurnRequest["input"]> {
  if (paths.length === 0) return text;
  const parts = await fileParts(paths.map((path) => ({ name: basename(path), path: resolve(path) })));
  return [...parts, { type: "text", text }];
}

export interface AttachedFile {
  readonly name: string;
  readonly path: string;
}

export async function fileParts(files: readonly AttachedFile[]): Promise<readonly InputPart[]> {
  const parts: InputPart[] = [];
  let left = maxSentBytes;
  for (const file of files) {
    const bytes = await readWhole(file.path, left);
    const part = toPart(file, bytes);
    left -= Buffer.byteLength(JSON.stringify(part));
    if (left < 0) throw tooLarge(file.path, bytes.byteLength);
    parts.push(part);
  }
  return parts;
}

async function readWhole(path: string, maxSize: number): Promise<Uint8Array> {
  const file = Bun.file(path);
  const stat = await file.stat().catch((cause: unknown) => {
    throw new Error(`Cannot attach "${path}": there is no such file`, { cause });
  });
  if (!stat.isFile()) throw new Error(`Cannot attach "${path}": it is not a file`);
  if (stat.size === 0) throw new Error(`Cannot attach "${path}": it is empty`);
  if (stat.size > maxSize) throw tooLarge(path, stat.size);
  return file.bytes();
}

function tooLarge(path: string, sizeBytes: number): Error {
  const message = `Cannot attach "${path}": with its ${sizeBytes} bytes the files would have more than ${maxSentBytes} as they are sent (base64 needs a third more); make it smaller, or attach less`;
  return new Error(message);
}

function toPart({ name, path }: AttachedFile, bytes: Uint8Array): InputPart {
  const [mediaType = ""] = Bun.file(path).type.split(";");
  const text = isMedia(mediaType) ? undefined : decodeText(bytes)?.text;
  if (text !== undefined) return { type: "text", text: `${name}:\n\n${text}\n\n` };
  return { type: "file", mediaType, data: bytes.toBase64(), filename: basename(path) };
}

/** Types other than media are decided by content: not every programming language has a media type. */
function isMedia(mediaType: string): boolean {
  return /^(?:image\/(?!svg)|audio\/|video\/|application\/pdf)/.test(mediaType);
}
