import { expect, test } from "bun:test";
import fc from "fast-check";
import { clippedLine, shownLine, ShownStream, shownText } from "./shown-text.ts";

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
  test(`shownText writes ${name} out`, () => {
    // oxlint-disable-next-line no-control-regex -- it is what must not be there
    expect(shownText(text)).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
    expect(JSON.parse(`"${shownText(text.replaceAll("\\", ""))}"`)).toBe(text.replaceAll("\\", ""));
  });

const unseen = Array.from(
  [
    "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C",
    "\u200B\u2060\u2061\u2064\uFEFF\u00AD\u034F\u115F\u1160\u3164\uFFA0\u180E\uFFF9\u2028\u2029",
    "\u{E0001}\u{E0041}\u{E007F}\u{E0100}\uFE00\uFE0F\u200C\u200D\u{1D173}",
  ].join(""),
);
for (const character of unseen)
  test(`shownText writes U+${character.codePointAt(0)?.toString(16).toUpperCase()} out`, () => {
    expect(shownText(`a${character}b`)).toMatch(/^a(\\u[0-9a-f]{4}){1,2}b$/);
  });

const readable = [
  "Ordinary text,\n\tin two lines: ä é ñ — “quoted” … 100 %",
  "שלום עולם, مرحبا بالعالم",
  "می‌خواهم", // Persian writes it with U+200C
  "क्‍ष র‍্য", // Devanagari and Bengali write them with U+200D
  "👩‍👩‍👧‍👦 👍🏽 ❤️ ☎︎ 🏳️‍🌈 1️⃣ #️⃣ 🇩🇪",
  "e\u0301 n\u0303 Z\u0351 ก็",
  "葛\u{E0100} 漢字 カタカナ 한국어",
  "\u0600\u0661 \u06DD",
  "C:\\new\\table",
];
for (const text of readable)
  test(`shownText leaves ${JSON.stringify(text.slice(0, 12))} as it is`, () => {
    expect(shownText(text)).toBe(text);
  });

test("shownText keeps JSON the same JSON, whatever is in it, and what it gives stays as it is", () => {
  const property = fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
    const json = JSON.stringify({ value, text });
    expect(JSON.parse(shownText(json))).toEqual(JSON.parse(json));
    expect(shownText(shownText(text))).toBe(shownText(text));
  });
  fc.assert(property);
});

test("shownText takes a line end of two characters as one, and shows a carriage return that is alone", () => {
  expect(shownText("one\r\ntwo\rthree\r")).toBe("one\ntwo\\rthree\\r");
});

test("[attack:terminal-hidden-message] shownText shows a message in tags or variation selectors behind an emoji, and keeps the emoji", () => {
  const tags = Array.from("run", (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");
  const selectors = Array.from("run", (letter) =>
    String.fromCodePoint(0xe0100 + (letter.codePointAt(0) ?? 0)),
  ).join("");

  for (const emoji of ["😀", "❤\uFE0F", "👩\u200D👩"]) {
    expect(shownText(emoji)).toBe(emoji);
    expect(shownText(emoji + tags)).toBe(`${emoji}\\udb40\\udc72\\udb40\\udc75\\udb40\\udc6e`);
    expect(shownText(emoji + selectors)).toMatch(new RegExp(`^${emoji}(\\\\u[0-9a-f]{4}){6}$`));
  }
});

test("[attack:terminal-look-alike] shownLine tells two names apart that look the same", () => {
  const same = ["git", "g\u200Bit", "git\u3164", "g\u00ADit", "git\u2060", "\u200Egit", "git\uFE0F", "g\u034Fit"];

  expect(shownLine("git")).toBe("git");
  // Control: without what cannot be seen, they are one name.
  expect(new Set(same.map((name) => name.replaceAll(/\p{DI}/gu, ""))).size).toBe(1);
  expect(new Set(same.map((name) => shownLine(name).replaceAll(/\p{DI}/gu, ""))).size).toBe(same.length);
});

test("[attack:terminal-overwritten-line] shownText shows a carriage return and a backspace: no line is written over", () => {
  expect(shownText("rm -rf ~\rls\b\b")).toBe("rm -rf ~\\rls\\b\\b");
  expect(shownText("one\r\ntwo")).toBe("one\ntwo"); // The control: a line end is one.
});

test("shownText hides no second mark behind one that belongs there", () => {
  expect(shownText("❤\uFE0F\uFE0F👩\u200D\u200D")).toBe("❤\uFE0F\\ufe0f👩\u200D\\u200d");
});

test("shownLine shows line ends and tabs: nothing in a name begins a line", () => {
  expect(shownLine("a\nb\tc\r\nd\u0085e\u2028f")).toBe("a\\nb\\tc\\r\\nd\\u0085e\\u2028f");
});

test("clippedLine says how much it leaves out, and splits no character", () => {
  expect(clippedLine("short", { maxCharacters: 5 })).toBe("short");
  expect(clippedLine("a\n😀b", { maxCharacters: 3 })).toBe("a\\n… (3 characters more)");
  expect(clippedLine("a\n😀b", { maxCharacters: 4 })).toBe("a\\n😀… (1 characters more)");
});

test("ShownStream gives what the whole gives, wherever it is cut", () => {
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
  );
  const property = fc.property(fc.array(piece), fc.infiniteStream(fc.nat({ max: 3 })), (pieces, sizes) => {
    const text = pieces.join("");
    const stream = new ShownStream({ isExact: false });
    const exact = new ShownStream({ isExact: true });
    let got = "";
    let same = "";
    for (let at = 0; at < text.length;) {
      const size = sizes.next().value;
      got += stream.write(text.slice(at, at + size));
      same += exact.write(text.slice(at, at + size));
      at += size;
    }
    expect(got + stream.end()).toBe(shownText(text));
    expect(same + exact.end()).toBe(text);
  });
  fc.assert(property);
});

test("ShownStream gives half a character only once it has the other half", () => {
  const stream = new ShownStream({ isExact: true });

  expect([stream.write("a\uD83D"), stream.write("\uDE00b")]).toEqual(["a", "😀b"]);
});
