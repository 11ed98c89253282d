import { expect, test } from "bun:test";
import fc from "fast-check";
import { outputText } from "./output-text.ts";

const latin = (text: string): Buffer => Buffer.from(text, "latin1");

test("outputText reads lines that are not UTF-8 as Windows-1252, and others beside them as UTF-8", () => {
  const bytes = Buffer.concat([Buffer.from("é 漢\n"), latin("café\n"), Buffer.from("end")]);

  expect(outputText(bytes)).toEqual({ text: "é 漢\ncafé\nend", isGuessed: true });
});

test("outputText replaces what is cut off of a line in UTF-8, and bytes that are no text", () => {
  expect(outputText(Buffer.from("漢字").subarray(1))).toEqual({ text: "\uFFFD\uFFFD字", isGuessed: false });
  expect(outputText(Buffer.from([0, 1, 0xff, 0xfe]))).toEqual({ text: "\0\u0001\uFFFD\uFFFD", isGuessed: false });
});

test("outputText returns every text in UTF-8 as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(outputText(new TextEncoder().encode(text)).text).toBe(text.replace(/^\uFEFF/, ""));
    }),
  );
});
