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

/** ITU T.81, annex B. */
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

/** RFC 9649. */
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
