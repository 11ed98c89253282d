import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "bun:test";
import { escapeHidden } from "@incipit/schema";
import {
  disguised,
  disguisedAsBefore,
  disguisedControls,
  disguisedKey,
  drawn,
  hiddenIn,
  undisguised,
} from "./editor-encoding.ts";

const everything = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => character.length === 1 || /[\p{Cc}\p{Cf}\p{DI}]/u.test(character));

test("undisguised restores every character", () => {
  for (const character of everything) expect(undisguised(disguised(`a${character}b`))).toBe(`a${character}b`);
});

test("drawn shows each stand-in as one cell without control characters", () => {
  for (const character of everything) {
    const row = disguised(character);
    if (row === character) continue;
    expect([visibleWidth(row), visibleWidth(drawn(row))]).toEqual([1, 1]);
    expect(drawn(row)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

test("disguised keeps joiners of scripts and emoji, and replaces private characters", () => {
  const text = "👩‍👩‍👧‍👦 ❤️ می‌خواهم क्‍ष\n";

  expect(disguised(text)).toBe(text);
  expect(disguised("\u{10C040}\uD800")).toBe("\uFFFD\uFFFD");
});

test("disguisedControls keeps a typed @, and disguised does not", () => {
  expect(disguisedControls("@notes.md")).toBe("@notes.md");
  expect(disguised("@notes.md")).not.toContain("@");
});

test("disguisedKey keeps joiners of an emoji typed one UTF-16 unit at a time", () => {
  const text = "👩‍👩‍👧‍👦 ❤️ 1️⃣ a\u200Db";
  let written = "";
  for (let index = 0; index < text.length; index += 1) written += disguisedKey(text[index] ?? "", written);

  expect(written).toBe(text.replace("a\u200Db", `a${disguised("\u200D")}b`));
});

test("disguisedAsBefore keeps pasted names inactive after an external editor", () => {
  const before = `${disguised("from @secret.txt")} and @notes.md`;

  const after = disguisedAsBefore("New: from @secret.txt and @notes.md and @more.md", before);

  expect(after).toBe(`New: ${disguised("from @secret.txt")} and @notes.md and @more.md`);
});

test("hiddenIn counts invisible and control characters except tabs and line breaks", () => {
  expect(hiddenIn("a\tb\nc")).toBe(0);
  expect(hiddenIn("\u001B[31m \u202E \u200B")).toBe(3);
});

test("disguised replaces every character that escapeHidden escapes", () => {
  for (const character of everything) {
    if (escapeHidden(`a${character}`) === `a${character}`) continue;
    expect(drawn(disguised(`a${character}`))).not.toContain(character);
  }
});
