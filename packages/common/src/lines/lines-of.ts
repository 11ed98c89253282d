export class LineTooLong extends Error {
  override readonly name = "LineTooLong";
}

export interface StreamLine {
  /** Without its line ending. */
  readonly text: string;
  /** The stream ended within the line. */
  readonly hasEnd: boolean;
}

/** Non-blank lines. @throws {LineTooLong} and releases the stream. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<StreamLine> {
  let parts: Uint8Array[] = [];
  let sizeBytes = 0;
  const take = (): string => {
    const line = new TextDecoder().decode(Buffer.concat(parts)).trim();
    parts = [];
    sizeBytes = 0;
    return line;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      from = end + 1;
      const text = take();
      if (text !== "") yield { text, hasEnd: true };
    }
    const rest = chunk.subarray(from);
    sizeBytes += rest.length;
    if (sizeBytes > maxBytes) throw new LineTooLong(`A line has more than ${maxBytes} bytes`);
    if (rest.length > 0) parts.push(rest);
  }
  const text = take();
  if (text !== "") yield { text, hasEnd: false };
}
