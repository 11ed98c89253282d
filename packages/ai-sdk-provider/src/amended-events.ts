import type { Vendor } from "./vendor.ts";

const dataLine = /^data: ?(.*)$/;

/** Server-sent events whose data goes through `amendEvent`, line by line; what it gives nothing for is left out. */
export function amendedEvents(
  amendEvent: NonNullable<Vendor["amendEvent"]>,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** The line that has not ended, in pieces: a long one is put together once. */
  let rest: string[] = [];
  const amended = (line: string): string => {
    const data = dataLine.exec(line.endsWith("\r") ? line.slice(0, -1) : line)?.[1];
    if (data === undefined) return `${line}\n`;
    const given = amendEvent(data);
    return given === undefined ? "" : `data: ${given}\n`;
  };
  return new TransformStream({
    transform(chunk, controller) {
      const text = decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf("\n");
      if (end === -1) {
        rest.push(text);
        return;
      }
      const lines = [...rest, text.slice(0, end)].join("").split("\n");
      rest = [text.slice(end + 1)];
      controller.enqueue(encoder.encode(lines.map(amended).join("")));
    },
    flush(controller) {
      const last = [...rest, decoder.decode()].join("");
      if (last !== "") controller.enqueue(encoder.encode(amended(last)));
    },
  });
}
