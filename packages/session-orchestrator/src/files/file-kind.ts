import { fileTypeOf } from "./file-type.ts";

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
