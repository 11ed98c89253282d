import { turnInputSchema, type FilePart, type ModelMessage } from "@incipit/schema";
import * as z from "zod";
import { fileTypeOf, sendingProblem } from "../files/file-type.ts";
import type { SendableFiles } from "../files/sendable-files.ts";

/** 5 MiB as base64, which vendors measure. */
const maxFileBytes = 3_932_160;
/** Per epoch: every later request contains all files, and vendors limit requests. */
const maxBytes = 12 * 1_048_576;
const maxFiles = 80;
const maxLines = 20;

const fileSchema = z.object({ mediaType: z.string(), data: z.string() });

export const toolAnswerSchema = z.union([
  z.string().transform((text) => ({ text, files: [] })),
  z.object({ text: z.string(), files: z.array(fileSchema) }),
]);

export type GivenFile = z.output<typeof fileSchema>;

export interface FittedFile extends GivenFile {
  readonly why?: string;
}

export async function fittedFiles(
  given: readonly GivenFile[],
  sendable: SendableFiles,
): Promise<readonly FittedFile[]> {
  const fitted = given.slice(0, maxFiles).map(async (one): Promise<FittedFile> => {
    const { file, why } = await sendable.ofTool(one);
    return why === undefined ? file : { ...file, why };
  });
  return [...(await Promise.all(fitted)), ...given.slice(maxFiles)];
}

/** Every later request in the epoch contains kept files, so a file that a vendor would reject becomes a description. */
export class ToolFiles {
  #leftBytes = maxBytes;
  #leftFiles = maxFiles;

  constructor(history: readonly ModelMessage[]) {
    for (const { role, parts } of history)
      if (role === "tool")
        for (const part of parts)
          if (part.type === "tool-result") for (const { data } of part.files ?? []) this.#count(sizeOf(data));
  }

  /** The output has a line for each omitted file; never empty if there are files. */
  take(
    output: string,
    given: readonly FittedFile[],
  ): { readonly output: string; readonly files: readonly FilePart[] } {
    const files: FilePart[] = [];
    const lines = output === "" ? [] : [output];
    let leftOut = 0;
    for (const file of given) {
      const kept = this.#judge(file);
      if (typeof kept !== "string") files.push(kept);
      else if (++leftOut <= maxLines) lines.push(`[file: ${kept}]`);
    }
    if (leftOut > maxLines) lines.push(`[files: ${leftOut - maxLines} more are left out]`);
    if (lines.length === 0 && files.length > 0) lines.push(`[files: ${files.length}]`);
    return { output: lines.join("\n"), files };
  }

  #judge({ mediaType: said, data, why: unsendable }: FittedFile): FilePart | string {
    const sizeBytes = sizeOf(data);
    const leftOut = (why: string): string => `${shown(said)}, ${sizeBytes} bytes; left out: ${why}`;
    if (unsendable !== undefined) return leftOut(unsendable);
    if (sizeBytes > maxFileBytes) return leftOut(`a file of a tool may have ${maxFileBytes} bytes`);
    if (sizeBytes > this.#leftBytes || this.#leftFiles <= 0)
      return leftOut(`files of tools have ${maxBytes} bytes, or are ${maxFiles}, until the next compaction`);
    const content = Buffer.from(data, "base64");
    // By content: vendors reject an image with the wrong media type.
    const mediaType = fileTypeOf(content);
    if (mediaType === undefined) return leftOut("it is neither a PNG, JPEG, GIF or WebP picture nor a sound");
    const file = { type: "file", mediaType, data } as const;
    if (!turnInputSchema.safeParse([file]).success) return leftOut("it is not base64 without line breaks");
    const problem = sendingProblem(content, mediaType);
    if (problem !== undefined) return leftOut(problem);
    this.#count(sizeBytes);
    return file;
  }

  #count(sizeBytes: number): void {
    this.#leftBytes -= sizeBytes;
    this.#leftFiles -= 1;
  }
}

export function keptFileProblem(file: FilePart): string | undefined {
  if (!turnInputSchema.safeParse([file]).success) return "a file of a tool is not one that a user could have sent";
  const content = Buffer.from(file.data, "base64");
  const mediaType = fileTypeOf(content);
  return mediaType === file.mediaType && sendingProblem(content, mediaType) === undefined
    ? undefined
    : "a file of a tool is not what its type says, or too large for models";
}

function sizeOf(data: string): number {
  return Buffer.byteLength(data, "base64");
}

function shown(mediaType: string): string {
  return /^[\w.+/-]{1,100}$/.test(mediaType) ? mediaType : "of no known type";
}
