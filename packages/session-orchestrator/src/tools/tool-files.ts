import { turnInputSchema, type FilePart, type ModelMessage } from "@incipit/schema";
import * as z from "zod";
import { fileTypeOf, sendingProblem } from "../files/file-type.ts";
import type { SendableFiles } from "../files/sendable-files.ts";

/** Most that one file may have: 5 MiB as base64, which is what vendors count. */
const maxFileBytes = 3_932_160;
/** Most that all files of an epoch's results may have: each later request has them, and vendors bound requests. */
const maxBytes = 12 * 1_048_576;
const maxFiles = 80;
/** Lines of one result that say what was left out. */
const maxLines = 20;

const fileSchema = z.object({ mediaType: z.string(), data: z.string() });

/** What a tool gives, whoever wrote it. */
export const toolAnswerSchema = z.union([
  z.string().transform((text) => ({ text, files: [] })),
  z.object({ text: z.string(), files: z.array(fileSchema) }),
]);

export type GivenFile = z.output<typeof fileSchema>;

/** A file of a tool, converted and shrunk where it was too large. */
export interface FittedFile extends GivenFile {
  /** Why it cannot be sent, as the end of a sentence. */
  readonly why?: string;
}

/** Returns the files of a call as models may get them; beyond as many as an epoch keeps, none is converted. */
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

/**
 * The files that the calls of one reply give. What is kept of them goes with each later request of the epoch: what a vendor
 * may refuse would end the conversation, and is named in its place.
 */
export class ToolFiles {
  #leftBytes = maxBytes;
  #leftFiles = maxFiles;

  /** @param history What was said in the epoch so far. */
  constructor(history: readonly ModelMessage[]) {
    for (const { role, parts } of history)
      if (role === "tool")
        for (const part of parts)
          if (part.type === "tool-result") for (const { data } of part.files ?? []) this.#count(sizeOf(data));
  }

  /** What is kept of a call's files, and its output with a line for each that is not; never empty where there are files. */
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

  /** The file as it is kept, or why it is not. */
  #judge({ mediaType: said, data, why: unsendable }: FittedFile): FilePart | string {
    const sizeBytes = sizeOf(data);
    const leftOut = (why: string): string => `${shown(said)}, ${sizeBytes} bytes; left out: ${why}`;
    if (unsendable !== undefined) return leftOut(unsendable);
    if (sizeBytes > maxFileBytes) return leftOut(`a file of a tool may have ${maxFileBytes} bytes`);
    if (sizeBytes > this.#leftBytes || this.#leftFiles <= 0)
      return leftOut(`files of tools have ${maxBytes} bytes, or are ${maxFiles}, until the next compaction`);
    const content = Buffer.from(data, "base64");
    // By what it is: a vendor refuses a picture under the name of another type.
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

/** Why no request could be sent any more with such a file that somebody else has kept; `undefined`: it could. */
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

/** A type that a server has written, as part of a sentence. */
function shown(mediaType: string): string {
  return /^[\w.+/-]{1,100}$/.test(mediaType) ? mediaType : "of no known type";
}
