import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  clippedLine,
  escapeBlanks,
  escapeHidden,
  escapeHiddenLine,
  hasHidden,
  HiddenEscaper,
  isUnseenCharacter,
  oneLinePattern,
  replaceHidden,
} from "./hidden-characters.ts";

const sequences = {
  colour: "\u001B[31mred",
  "clear the screen": "\u001B[2J\u001B[H",
  "the clipboard (OSC 52)": "\u001B]52;c;cm0gLXJm\u0007",
  "a link (OSC 8)": "\u001B]8;;http://evil.example\u001B\\docs\u001B]8;;\u001B\\",
  "a title": "\u001B]0;root@host\u0007",
  "a device string (DCS)": "\u001BP+q544e\u001B\\",
  "an 8-bit sequence": "\u009B2J\u009D0;x\u009C",
  "a line written over": "rm -rf /\rls      ",
  backspace: "rm\b\bls",
  "shift out": "\u000E\u000F",
  delete: "a\u007Fb",
};
for (const [name, text] of Object.entries(sequences))
  test(`escapeHidden escapes ${name}`, () => {
    // oxlint-disable-next-line no-control-regex -- asserts that none remain
    expect(escapeHidden(text)).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
    expect(JSON.parse(`"${escapeHidden(text.replaceAll("\\", ""))}"`)).toBe(text.replaceAll("\\", ""));
  });

const unseen = Array.from(
  [
    "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C",
    "\u200B\u2060\u2061\u2064\uFEFF\u00AD\u034F\u115F\u1160\u3164\uFFA0\u180E\uFFF9\u2028\u2029",
    "\u{E0001}\u{E0041}\u{E007F}\u{E0100}\uFE00\uFE0F\u200C\u200D\u{1D173}",
  ].join(""),
);
for (const character of unseen)
  test(`escapeHidden escapes U+${character.codePointAt(0)?.toString(16).toUpperCase()}`, () => {
    expect(escapeHidden(`a${character}b`)).toMatch(/^a(\\u[0-9a-f]{4}){1,2}b$/);
  });

const readable = [
  "Ordinary text,\n\tin two lines: ä é ñ — “quoted” … 100 %",
  "שלום עולם, مرحبا بالعالم",
  "می‌خواهم", // Persian uses U+200C
  "क्‍ष র‍্য", // Devanagari and Bengali use U+200D
  "👩‍👩‍👧‍👦 👍🏽 ❤️ ☎︎ 🏳️‍🌈 1️⃣ #️⃣ 🇩🇪",
  "e\u0301 n\u0303 Z\u0351 ก็",
  "葛\u{E0100} 漢字 カタカナ 한국어",
  "\u0600\u0661 \u06DD",
  "C:\\new\\table",
];
for (const text of readable)
  test(`escapeHidden keeps ${JSON.stringify(text.slice(0, 12))}`, () => {
    expect(escapeHidden(text)).toBe(text);
  });

test("escapeHidden keeps JSON equivalent, and is idempotent", () => {
  const property = fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
    const json = JSON.stringify({ value, text });
    expect(JSON.parse(escapeHidden(json))).toEqual(JSON.parse(json));
    expect(escapeHidden(escapeHidden(text))).toBe(escapeHidden(text));
  });
  fc.assert(property);
});

test("escapeHidden converts CRLF to LF, and escapes a lone carriage return", () => {
  expect(escapeHidden("one\r\ntwo\rthree\r")).toBe("one\ntwo\\rthree\\r");
});

test("[attack:terminal-hidden-message] escapeHidden escapes tags and variation selectors after an emoji", () => {
  const tags = Array.from("run", (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");
  const selectors = Array.from("run", (letter) =>
    String.fromCodePoint(0xe0100 + (letter.codePointAt(0) ?? 0)),
  ).join("");

  for (const emoji of ["😀", "❤\uFE0F", "👩\u200D👩"]) {
    expect(escapeHidden(emoji)).toBe(emoji);
    expect(escapeHidden(emoji + tags)).toBe(`${emoji}\\udb40\\udc72\\udb40\\udc75\\udb40\\udc6e`);
    expect(escapeHidden(emoji + selectors)).toMatch(new RegExp(`^${emoji}(\\\\u[0-9a-f]{4}){6}$`));
  }
});

test("[attack:terminal-look-alike] escapeHiddenLine distinguishes look-alike names", () => {
  const same = ["git", "g\u200Bit", "git\u3164", "g\u00ADit", "git\u2060", "\u200Egit", "git\uFE0F", "g\u034Fit"];

  expect(escapeHiddenLine("git")).toBe("git");
  // Control: without invisible characters, the names are equal.
  expect(new Set(same.map((name) => name.replaceAll(/\p{DI}/gu, ""))).size).toBe(1);
  expect(new Set(same.map((name) => escapeHiddenLine(name).replaceAll(/\p{DI}/gu, ""))).size).toBe(same.length);
});

test("[attack:terminal-overwritten-line] escapeHidden escapes carriage returns and backspaces", () => {
  expect(escapeHidden("rm -rf ~\rls\b\b")).toBe("rm -rf ~\\rls\\b\\b");
  expect(escapeHidden("one\r\ntwo")).toBe("one\ntwo"); // Control: CRLF is a line end.
});

test("escapeHidden escapes a repeated joining mark", () => {
  expect(escapeHidden("❤\uFE0F\uFE0F👩\u200D\u200D")).toBe("❤\uFE0F\\ufe0f👩\u200D\\u200d");
});

test("escapeHiddenLine escapes line ends and tabs", () => {
  expect(escapeHiddenLine("a\nb\tc\r\nd\u0085e\u2028f")).toBe("a\\nb\\tc\\r\\nd\\u0085e\\u2028f");
});

test("clippedLine reports the omitted length, and splits no character", () => {
  expect(clippedLine("short", { maxCharacters: 5 })).toBe("short");
  expect(clippedLine("a\n😀b", { maxCharacters: 3 })).toBe("a\\n… (3 characters more)");
  expect(clippedLine("a\n😀b", { maxCharacters: 4 })).toBe("a\\n😀… (1 characters more)");
});

test("HiddenEscaper matches escapeHidden for any split of the input", () => {
  const piece = fc.constantFrom(
    "a",
    "\r",
    "\n",
    "😀",
    "👩",
    "\u200D",
    "\uFE0F",
    "1",
    "\u20E3",
    "\u001B",
    "\uD83D",
    "می",
    "\u200C",
    "\u0301\u0302\u0303\u0304\u0305",
  );
  const property = fc.property(fc.array(piece), fc.infiniteStream(fc.nat({ max: 3 })), (pieces, sizes) => {
    const text = pieces.join("");
    const stream = new HiddenEscaper({ isExact: false });
    const exact = new HiddenEscaper({ isExact: true });
    let got = "";
    let same = "";
    for (let at = 0; at < text.length;) {
      const size = sizes.next().value;
      got += stream.write(text.slice(at, at + size));
      same += exact.write(text.slice(at, at + size));
      at += size;
    }
    expect(got + stream.end()).toBe(escapeHidden(text));
    expect(same + exact.end()).toBe(text);
  });
  fc.assert(property);
});

test("HiddenEscaper holds a high surrogate until its low surrogate arrives", () => {
  const stream = new HiddenEscaper({ isExact: true });

  expect([stream.write("a\uD83D"), stream.write("\uDE00b")]).toEqual(["a", "😀b"]);
});

test("escapeHidden escapes every combining mark after the eighth in a row", () => {
  const marks = "\u0301".repeat(8);

  expect(escapeHidden(`a${marks}b${marks}`)).toBe(`a${marks}b${marks}`);
  expect(escapeHidden(`a${marks}\u0301\u0302b`)).toBe(`a${marks}\\u0301\\u0302b`);
});

test("escapeBlanks escapes every space except U+0020, and keeps U+3000 next to wide text", () => {
  expect(escapeBlanks("rm\u00A0-rf\u2003/\u3000x\u2800y\u202F\u205F\u1680 \n\t")).toBe(
    "rm\\u00a0-rf\\u2003/\\u3000x\\u2800y\\u202f\\u205f\\u1680 \n\t",
  );
  expect(escapeBlanks("漢\u3000字")).toBe("漢\u3000字");
  for (const character of ["\uE000", "\u{10FFFF}", "\u{13441}", "\u{13442}", "\u{16FE4}", "\u{1D159}"])
    expect(escapeBlanks(`a${character}b`)).toMatch(/^a(?:\\u[0-9a-f]{4}){1,2}b$/);
});

test("replaceHidden replaces the characters that escapeHidden escapes", () => {
  const property = fc.property(fc.string({ unit: "binary" }), (text) => {
    const removed = replaceHidden(text, () => "");
    expect(removed === text).toBe(escapeHidden(text) === text);
  });
  fc.assert(property);
  expect(replaceHidden("in\u202Evo\u200Bice\n👩\u200D💻", () => "")).toBe("invoice\n👩\u200D💻");
});

test("hasHidden accepts one line without hidden characters", () => {
  for (const text of ["", "a b", "می‌خواهم", "👩‍💻", "葛\u{E0100}"]) expect(hasHidden(text)).toBeFalse();
  for (const text of ["a\nb", "a\tb", "a\u202Eb", "a\u3164", "\uD800", "a\u{E0041}"])
    expect(hasHidden(text)).toBeTrue();
});

test("oneLinePattern rejects hidden characters, and accepts names of every script", () => {
  for (const text of readable.filter((line) => !/[\n\t]/.test(line))) expect(text).toMatch(oneLinePattern);
  for (const character of [
    "\n",
    "\t",
    "\u202E",
    "\u2066",
    "\u200B",
    "\u3164",
    "\u{E0041}",
    "\u2028",
    "\u009B",
    "\uD800",
  ])
    expect([oneLinePattern.test(`a${character}`), isUnseenCharacter(character)]).toEqual([false, true]);
});
