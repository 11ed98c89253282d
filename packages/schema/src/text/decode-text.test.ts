import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeText } from "./decode-text.ts";

const text = "# Rules\n\nGrüße, naïve café: “quoted” – 10 €.\r\nUse tabs.\t\n";

function utf16(value: string, { order, hasMark }: { order: "le" | "be"; hasMark: boolean }): Uint8Array {
  const bytes = Buffer.from(`${hasMark ? "\uFEFF" : ""}${value}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
}

test("decodeText reads UTF-8 and UTF-16 with and without a byte order mark", () => {
  for (const value of [text, "a", "Only one line"]) {
    expect(decodeText(Buffer.from(value))).toEqual({ text: value, encoding: "utf-8" });
    expect(decodeText(Buffer.from(`\uFEFF${value}`))).toEqual({ text: value, encoding: "utf-8" });
    for (const hasMark of [true, false]) {
      expect(decodeText(utf16(value, { order: "le", hasMark }))).toEqual({ text: value, encoding: "utf-16le" });
      expect(decodeText(utf16(value, { order: "be", hasMark }))).toEqual({ text: value, encoding: "utf-16be" });
    }
  }
  expect(decodeText(utf16("日本語の規則", { order: "le", hasMark: true }))?.text).toBe("日本語の規則");
  expect(decodeText(new Uint8Array())).toEqual({ text: "", encoding: "utf-8" });
});

test("decodeText falls back to Windows-1252", () => {
  const western = [
    "Gr\xFC\xDFe aus K\xF6ln, 10 \x80",
    "don\x92t use \x93smart\x94 quotes",
    "\xAB\xA0donn\xE9\xA0\xBB, d\xE9j\xE0\xA0! r\xE9p\xE9t\xE9",
  ];
  const decoded = ["Grüße aus Köln, 10 €", "don’t use “smart” quotes", "«\u00A0donné\u00A0», déjà\u00A0! répété"];
  for (const [index, bytes] of western.entries())
    expect(decodeText(Buffer.from(bytes, "latin1"))).toEqual({
      text: decoded[index] ?? "",
      encoding: "windows-1252",
    });
});

test("decodeText returns undefined for binary data, other code pages, damaged UTF-8 and UTF-32", () => {
  const damaged = Buffer.concat([Buffer.from("größer — später, für alle"), Buffer.from([0xc3, 0x20])]);
  const cases: readonly (readonly number[] | Uint8Array)[] = [
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52],
    [0x61, 0x62, 0x63, 0],
    [0x61, 0, 0x62, 0, 0x63],
    [0, 0, 0, 0],
    [0xff, 0xfe, 0x41, 0, 0, 0], // UTF-16 with a NUL; UTF-32 LE.
    [0, 0, 0xfe, 0xff, 0, 0, 0, 0x41],
    [0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00],
    [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc], // Shift JIS.
    [0xd6, 0xd0, 0xce, 0xc4, 0xb9, 0xe6, 0xd4, 0xf2], // GBK.
    [0xcf, 0xf0, 0xe0, 0xe2, 0xe8, 0xeb, 0xe0], // Windows-1251.
    [0x7f, 0x45, 0x4c, 0x46, 0x02, 0xe9],
    damaged,
  ];
  for (const bytes of cases) expect(decodeText(Uint8Array.from(bytes))).toBeUndefined();
});

test("decodeText decodes any well-formed UTF-8, and UTF-16 with a mark", () => {
  const texts = fc.string({ unit: "binary" }).filter((value) => !value.includes("\0") && value.isWellFormed());
  fc.assert(
    fc.property(texts, (value) => {
      const plain = value.replace(/^\uFEFF/, "");
      expect(decodeText(Buffer.from(plain))?.text).toBe(plain.replace(/^\uFEFF/, ""));
      for (const order of ["le", "be"] as const)
        expect(decodeText(utf16(plain, { order, hasMark: true }))?.text).toBe(plain);
    }),
  );
});
