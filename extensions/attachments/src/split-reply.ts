import type { RefusedFile, ReplyPart } from "@incipit/service-contract";
import { posix } from "node:path";
import { fileToSend, refused, type FolderOptions } from "./file-to-send.ts";
import { replyPieces } from "./reply-lines.ts";
import { formatSize } from "./format-size.ts";

/** Maximum number of files of a reply; a longer list is probably a mistake. */
export const maxFiles = 10;
/** Maximum total size of the files of a reply, which are in memory together. */
const maxReplyBytes = 67_108_864;

export async function splitReply(
  reply: string,
  { asked, ...options }: FolderOptions & { readonly asked: readonly string[] },
): Promise<readonly ReplyPart[]> {
  const pieces = replyPieces(reply);
  const named = pieces.flatMap((piece) => (piece.kind === "media" ? [posix.normalize(piece.path)] : []));
  const behind = asked.filter((path) => !named.includes(posix.normalize(path)));
  const parts: ReplyPart[] = [];
  const hasFiles = named.length > 0;
  const files = new FilesOfReply(options);
  for (const piece of pieces) {
    if (piece.kind === "media") parts.push(...(await files.next(piece.path)));
    else if (piece.raw.trim() !== "") parts.push({ kind: "text", text: hasFiles ? trimmed(piece.raw) : piece.raw });
  }
  for (const path of behind) parts.push(...(await files.next(path)));
  return [...parts, ...files.leftOut()];
}

export function noteOf(parts: readonly ReplyPart[]): string | undefined {
  const missing = parts.filter((part): part is RefusedFile => part.kind === "refused");
  if (missing.length === 0) return undefined;
  const each = missing.map(({ line, why }) => `${JSON.stringify(line)} (${why})`);
  return `[MEDIA] Not sent with your last reply: ${each.join("; ")}`;
}

class FilesOfReply {
  readonly #options: FolderOptions;
  readonly #extra: string[] = [];
  #count = 0;
  #leftBytes = maxReplyBytes;

  constructor(options: FolderOptions) {
    this.#options = options;
  }

  async next(path: string): Promise<readonly ReplyPart[]> {
    this.#count += 1;
    if (this.#count > maxFiles) {
      this.#extra.push(path);
      return [];
    }
    const { maxBytes } = this.#options;
    const isLeft = this.#leftBytes < maxBytes;
    const file = await fileToSend(path, {
      ...this.#options,
      maxBytes: isLeft ? this.#leftBytes : maxBytes,
      tooLarge: isLeft ? `the files of a reply have at most ${formatSize(maxReplyBytes)} together` : undefined,
    });
    if (file.kind === "file") this.#leftBytes -= file.bytes.length;
    return [file];
  }

  leftOut(): readonly RefusedFile[] {
    const [first, ...others] = this.#extra;
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    return [refused(first, `a reply sends at most ${maxFiles} files${more}`)];
  }
}

function trimmed(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|\n|\r))+/, "").trimEnd();
}
