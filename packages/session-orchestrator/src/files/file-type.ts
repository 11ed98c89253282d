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

type FileType = (typeof types)[number][0];

/** Detects the type of a file by its content; `undefined` for a type that no model accepts. */
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

export function pictureSides(content: Buffer, mediaType: string): readonly [number, number] | undefined {
  try {
    if (mediaType === "image/png") return [content.readUInt32BE(16), content.readUInt32BE(20)];
    if (mediaType === "image/gif") return [content.readUInt16LE(6), content.readUInt16LE(8)];
    return mediaType === "image/jpeg" ? jpegSides(content) : webpSides(content);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Reads width and height of a JPEG (ITU T.81, annex B). */
function jpegSides(content: Buffer): readonly [number, number] | undefined {
  for (let at = 2; content[at] === 0xff;) {
    const marker = content.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [content.readUInt16BE(at + 7), content.readUInt16BE(at + 5)];
    at += 2 + Math.max(2, content.readUInt16BE(at + 2));
  }
  return undefined;
}

/** Reads width and height of a WebP (RFC 9649). */
function webpSides(content: Buffer): readonly [number, number] | undefined {
  switch (content.toString("latin1", 12, 16)) {
    case "VP8 ":
      return [content.readUInt16LE(26) & 0x3fff, content.readUInt16LE(28) & 0x3fff];
    case "VP8L": {
      const bits = content.readUInt32LE(21);
      return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
    }
    case "VP8X":
      return [1 + content.readUIntLE(24, 3), 1 + content.readUIntLE(27, 3)];
    default:
      return undefined;
  }
}

export type FileKind =
  | NonNullable<ReturnType<typeof fileTypeOf>>
  | "application/pdf"
  | "image/avif"
  | "image/bmp"
  | "image/heic"
  | "image/svg+xml"
  | "image/tiff";

/** A PDF header may follow other bytes: ISO 32000-1, annex H.3.4.1. */
const pdfHeadBytes = 1_024;
/** The first element of an SVG may follow comments and a document type. */
const svgHeadBytes = 4_096;

export function fileKindOf(content: Buffer): FileKind | undefined {
  const known = fileTypeOf(content);
  if (known !== undefined) return known;
  const head = content.toString("latin1", 0, 12);
  if (isBmp(content)) return "image/bmp";
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return "image/tiff";
  if (head.slice(4, 8) === "ftyp") return isoPictureOf(head.slice(8, 12));
  if (content.subarray(0, pdfHeadBytes).includes("%PDF-")) return "application/pdf";
  return isSvg(content) ? "image/svg+xml" : undefined;
}

/** Checks the header size too, because text may begin with "BM". */
function isBmp(content: Buffer): boolean {
  if (content.length < 26 || content.toString("latin1", 0, 2) !== "BM") return false;
  return [12, 40, 52, 56, 64, 108, 124].includes(content.readUInt32LE(14));
}

/** The major brand: ISO/IEC 23008-12, annex B; AV1 Image File Format, section 6. */
function isoPictureOf(brand: string): FileKind | undefined {
  if (brand === "avif" || brand === "avis") return "image/avif";
  return ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].includes(brand)
    ? "image/heic"
    : undefined;
}

function isSvg(content: Buffer): boolean {
  const head = content.toString("utf8", 0, svgHeadBytes);
  return /^\ufeff?\s*(?:<\?xml\b[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE\b[^>[]*(?:\[[^\]]*\])?[^>]*>|\s)*<svg[\s>]/.test(
    head,
  );
}
