import { expect, test } from "bun:test";
import fc from "fast-check";
import { outputText } from "./output-text.ts";

const latin = (text: string): Buffer => Buffer.from(text, "latin1");

test("outputText decodes each invalid UTF-8 line as Windows-1252 and keeps other lines", () => {
  const bytes = Buffer.concat([Buffer.from("é 漢\n"), latin("café\n"), Buffer.from("end")]);

  expect(outputText(bytes)).toEqual({ text: "é 漢\ncafé\nend", isGuessed: true });
});

test("outputText replaces truncated UTF-8 sequences and binary data with U+FFFD", () => {
  expect(outputText(Buffer.from("漢字").subarray(1))).toEqual({ text: "\uFFFD\uFFFD字", isGuessed: false });
  expect(outputText(Buffer.from([0, 1, 0xff, 0xfe]))).toEqual({ text: "\0\u0001\uFFFD\uFFFD", isGuessed: false });
  expect(outputText(latin("\x89PNG\r\n\x1A\n\0\0\0\rIHDR"))).toMatchObject({ isGuessed: false });
});

test("outputText decodes valid UTF-8 unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(outputText(new TextEncoder().encode(text)).text).toBe(text.replace(/^\uFEFF/, ""));
    }),
  );
});

test("outputText keeps an ASCII line as UTF-8 whose only other character is cut in half", () => {
  const bytes = Buffer.from("one – two\n");
  const [head, tail] = [bytes.subarray(0, 6), bytes.subarray(5)];

  expect(outputText(head, "end")).toEqual({ text: "one \uFFFD", isGuessed: false });
  expect(outputText(tail, "start")).toEqual({ text: "\uFFFD\uFFFD two\n", isGuessed: false });
  expect(outputText(latin("caf\xE9"))).toEqual({ text: "café", isGuessed: true });
});
