import { pictureSides } from "./picture-sides.ts";

/** Magic bytes in Latin-1; `?` matches any byte. */
const types = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF????WEBP"],
  ["audio/wav", "RIFF????WAVE"],
  ["audio/mp3", "ID3"],
  ["audio/mp3", "\xff\xfb"],
  ["audio/mp3", "\xff\xf3"],
  ["audio/ogg", "OggS"],
  ["audio/flac", "fLaC"],
] as const;

export type FileType = (typeof types)[number][0];

/** By content; `undefined` for a type that no model accepts. */
export function fileTypeOf(content: Buffer): FileType | undefined {
  const head = content.toString("latin1", 0, 12);
  return types.find(([, beginning]) => isAtHead(head, beginning))?.[0];
}

function isAtHead(head: string, beginning: string): boolean {
  for (let index = 0; index < beginning.length; index += 1)
    if (beginning[index] !== "?" && beginning[index] !== head[index]) return false;
  return true;
}

/** Vendors reject larger images in requests with many, and downscale others. */
export const maxPictureSide = 2_000;

export function sendingProblem(content: Buffer, mediaType: FileType): string | undefined {
  if (!mediaType.startsWith("image/")) return undefined;
  if (isMovingPicture(content, mediaType)) return "it is a moving picture";
  const sides = pictureSides(content, mediaType);
  if (sides === undefined || Math.min(...sides) === 0) return "it is not a whole picture";
  return Math.max(...sides) <= maxPictureSide
    ? undefined
    : `it has ${sides.join(" x ")} pixels, and models take up to ${maxPictureSide} on each side; ask for a smaller one`;
}

/** Checks the GIF extension or the WebP flags: RFC 9649, section 2.7. */
export function isMovingPicture(content: Buffer, mediaType: string): boolean {
  if (mediaType === "image/gif") return content.includes("NETSCAPE2.0");
  const flags = content[20] ?? 0;
  return mediaType === "image/webp" && content.toString("latin1", 12, 16) === "VP8X" && (flags & 2) === 2;
}
