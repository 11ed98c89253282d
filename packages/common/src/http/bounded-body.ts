export class TooLarge extends Error {
  constructor(what: string, maxBytes: number) {
    super(`${what} has more than ${maxBytes} bytes`);
  }
}

/** @throws {TooLarge} beyond the limit, without buffering more. */
export async function boundedBody(
  answer: Response,
  { maxBytes, what }: { readonly maxBytes: number; readonly what: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of answer.body ?? []) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxBytes) throw new TooLarge(what, maxBytes); // Leaving the loop ends the download.
    pieces.push(piece);
  }
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}
