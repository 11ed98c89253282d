import { pictureSides, isMovingPicture, maxPictureSide, type FileKind } from "./file-type.ts";

/** 5 MiB as base64, which vendors measure. */
const maxPictureBytes = 3_932_160;
/** Decoding takes four bytes per pixel, and a small file may declare any size. */
const maxPixels = 64_000_000;
const attempts = [
  { side: maxPictureSide, quality: undefined },
  { side: maxPictureSide, quality: 85 },
  { side: 1_568, quality: 80 },
  { side: 1_024, quality: 70 },
];

type FittedPicture =
  | { readonly kind: "picture"; readonly mediaType: string; readonly content: Buffer }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Returns acceptable bytes unchanged; otherwise the upright first frame in RGB, as PNG, JPEG or WebP. Deterministic.
 */
export async function fittedPicture(content: Buffer, kind: FileKind): Promise<FittedPicture> {
  const sides = isOther(kind) ? undefined : pictureSides(content, kind);
  if (!isOther(kind) && (sides === undefined || Math.min(...sides) === 0)) return refused(notWhole(kind));
  if (sides !== undefined && sides[0] * sides[1] > maxPixels) return refused(tooManyPixels(sides));
  try {
    const isTaken =
      sides !== undefined &&
      Math.max(...sides) <= maxPictureSide &&
      content.length <= maxPictureBytes &&
      !isMovingPicture(content, kind) &&
      !(kind === "image/gif" && hasFrames(content)) &&
      !(kind === "image/jpeg" && needsConversion(content));
    if (isTaken) {
      // A truncated file can have a valid header.
      await new Bun.Image(content, { maxPixels }).resize(8, 8).bytes();
      return { kind: "picture", mediaType: kind, content };
    }
    return await converted(content, kind);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = "code" in error ? error.code : undefined;
    if (code === "ERR_IMAGE_TOO_MANY_PIXELS") return refused(tooManyPixels(sides));
    if (code === "ERR_IMAGE_FORMAT_UNSUPPORTED")
      return refused(
        `models take no ${nameOf(kind)} pictures, and this machine cannot convert them; save it as PNG or JPEG`,
      );
    if (isMovingPicture(content, kind)) return refused("it is a moving picture; send one of its frames");
    return refused(notWhole(kind));
  }
}

async function converted(content: Buffer, kind: FileKind): Promise<FittedPicture> {
  for (const { side, quality } of attempts) {
    const image = new Bun.Image(content, { maxPixels }).resize(side, side, {
      fit: "inside",
      withoutEnlargement: true,
    });
    const isJpeg = quality !== undefined || kind === "image/jpeg" || kind === "image/heic";
    const isWebp = !isJpeg && kind === "image/webp";
    const encoded = isJpeg
      ? image.jpeg({ quality: quality ?? 90 })
      : isWebp
        ? image.webp({ quality: 90 })
        : image.png();
    const made = await encoded.buffer();
    const mediaType = isJpeg ? "image/jpeg" : isWebp ? "image/webp" : "image/png";
    if (made.length <= maxPictureBytes) return { kind: "picture", mediaType, content: made };
  }
  return refused(`it cannot be made smaller than ${maxPictureBytes} bytes; send a smaller one`);
}

/** Always converted, if the platform has a decoder: Linux lacks one for the last three. */
function isOther(kind: FileKind): boolean {
  return ["image/bmp", "image/tiff", "image/heic", "image/avif"].includes(kind);
}

/** Vendors ignore Exif orientation, and reject CMYK and truncated files. */
function needsConversion(content: Buffer): boolean {
  const { isUpright, isRgb, hasEnd } = jpegFacts(content);
  return !isUpright || !isRgb || !hasEnd;
}

function refused(why: string): FittedPicture {
  return { kind: "refused", why };
}

function notWhole(kind: FileKind): string {
  return `it begins as a ${nameOf(kind)} picture, and is damaged or cut off; send the whole file`;
}

function tooManyPixels(sides: readonly [number, number] | undefined): string {
  const said = sides === undefined ? "more pixels than" : `${sides.join(" x ")} pixels, and`;
  return sides === undefined
    ? `it has ${said} ${maxPixels}; send a smaller one`
    : `it has ${said} at most ${maxPixels} can be converted; send a smaller one`;
}

function nameOf(kind: FileKind): string {
  return kind.slice("image/".length).toUpperCase();
}

/** Returns whether a GIF is animated (GIF89a, sections 18 to 26). */
function hasFrames(content: Buffer): boolean {
  let frames = 0;
  try {
    for (let at = 13 + colorsLength(content.readUInt8(10)); frames < 2;) {
      const block = content.readUInt8(at);
      if (block === 0x21) at = behindBlocks(content, at + 2);
      else if (block === 0x2c) {
        frames += 1;
        at = behindBlocks(content, at + 11 + colorsLength(content.readUInt8(at + 9)));
      } else break;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return frames > 1;
}

function colorsLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function behindBlocks(content: Buffer, first: number): number {
  let at = first;
  for (let length = content.readUInt8(at); length > 0; length = content.readUInt8(at)) at += length + 1;
  return at + 1;
}

interface JpegFacts {
  readonly isUpright: boolean;
  readonly isRgb: boolean;
  readonly hasEnd: boolean;
}

/** Maximum size of data after the end marker, which some cameras and messengers append. */
const maxBehindEnd = 65_536;

/** Reads the facts of a JPEG (ITU T.81, annex B; Exif 2.32, section 4.6). */
function jpegFacts(content: Buffer): JpegFacts {
  const end = content.subarray(Math.max(0, content.length - maxBehindEnd));
  const hasEnd = end.includes(Buffer.from([0xff, 0xd9]));
  let isUpright = true;
  try {
    for (let at = 2; content[at] === 0xff;) {
      const marker = content.readUInt8(at + 1);
      if (marker === 0xff) {
        at += 1;
        continue;
      }
      const length = Math.max(2, content.readUInt16BE(at + 2));
      const segment = content.subarray(at + 4, at + 2 + length);
      if (marker === 0xe1 && segment.toString("latin1", 0, 6) === "Exif\0\0")
        isUpright = orientationOf(segment.subarray(6)) === 1;
      const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
      if (isFrame) return { isUpright, isRgb: content.readUInt8(at + 9) !== 4, hasEnd };
      at += 2 + length;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { isUpright, isRgb: true, hasEnd };
}

function orientationOf(tiff: Buffer): number {
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = short(first);
  for (let index = 0; index < count; index += 1) {
    const entry = first + 2 + index * 12;
    if (short(entry) === 0x0112) return short(entry + 8);
  }
  return 1;
}
