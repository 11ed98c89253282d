export interface JpegFacts {
  readonly isUpright: boolean;
  readonly isRgb: boolean;
  readonly hasEnd: boolean;
}

/** Some cameras and messengers append data after the end marker. */
const maxBehindEnd = 65_536;

/** ITU T.81, annex B; Exif 2.32, section 4.6. */
export function jpegFacts(content: Buffer): JpegFacts {
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
