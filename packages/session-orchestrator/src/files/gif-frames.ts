/** GIF89a, sections 18 to 26. */
export function hasFrames(content: Buffer): boolean {
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
