import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeText, encodeText } from "./file-text.ts";

test("encodeText restores the exact bytes given to decodeText", () => {
  const mark = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => [...bytes]),
    fc.string().map((text) => [...Buffer.from(text)]),
    fc.string().map((text) => [...Buffer.from(text, "latin1")]),
    fc.string({ unit: "binary" }).map((text) => [...Buffer.from(text, "utf16le")]),
  );
  const property = fc.property(mark, content, (start, rest) => {
    const bytes = Uint8Array.from([...start, ...rest]);
    const decoded = decodeText(bytes);
    if (decoded !== undefined) expect(Uint8Array.from(encodeText(decoded.text, decoded))).toEqual(bytes);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test.each([
  ["UTF-8", [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
  ["UTF-16 LE", [0xff, 0xfe, 0xe9, 0]],
  ["UTF-16 BE", [0xfe, 0xff, 0, 0xe9]],
  ["Windows-1252", [0xe9]],
] as const)("decodeText detects %s and strips its byte order mark", (encoding, bytes) => {
  expect(decodeText(Uint8Array.from(bytes))).toEqual({ text: "é", encoding, hasMark: encoding !== "Windows-1252" });
});

test("encodeText names the character that Windows-1252 lacks", () => {
  expect(() => encodeText("a中", { encoding: "Windows-1252", hasMark: false })).toThrow('"中"');
});
