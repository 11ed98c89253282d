import { decodeKittyPrintable, StdinBuffer } from "@earendil-works/pi-tui";
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { isTerminalReply, isSilentKey, TerminalReplies } from "./terminal-replies.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const escape = "\u001B";
const reports: Readonly<Record<string, string>> = {
  "background, ended by ST": `${escape}]11;rgb:1e1e/1e1e/2e2e${escape}\\`,
  "foreground, ended by BEL": `${escape}]10;rgb:cdcd/d6d6/f4f4\u0007`,
  "palette colour": `${escape}]4;12;rgba:8989/b4b4/fafa/ffff${escape}\\`,
  "hexadecimal colour": `${escape}]11;#1e1e2e\u0007`,
  "device attributes": `${escape}[?62;22;52c`,
  "secondary attributes": `${escape}[>1;4000;44c`,
  "Kitty flags": `${escape}[?7u`,
  "private mode": `${escape}[?2026;2$y`,
  mode: `${escape}[4;2$y`,
  "colour scheme": `${escape}[?997;1n`,
  version: `${escape}P>|kitty(0.42.1)${escape}\\`,
  graphics: `${escape}_Gi=31;OK${escape}\\`,
  "program status": `${escape}]7501;?${escape}\\`,
};

interface Typed {
  readonly keys: string[];
  readonly pasted: string[];
  readonly take: (data: string) => void;
}

/** Includes the library's own key splitter, which flushes a chunk after 50 ms. */
function typed(isExpected = true): Typed {
  const keys: string[] = [];
  const pasted: string[] = [];
  const buffer = new StdinBuffer();
  buffer.on("data", (key) => {
    if (!isTerminalReply(key) && !isSilentKey(key)) keys.push(key);
  });
  const replies = new TerminalReplies((data) => buffer.process(data));
  return {
    keys,
    pasted,
    take: (data) => {
      const rest = replies.take(data, { isExpected });
      if (rest !== undefined) pasted.push(rest);
    },
  };
}

for (const [name, report] of Object.entries(reports))
  test(`TerminalReplies joins a report (${name}) in pieces that are 100 ms apart, twice, between typed text`, () => {
    for (let cut = 1; cut < report.length; cut += 1) {
      const { keys, take } = typed();
      for (const piece of ["a", report.slice(0, cut), `${report.slice(cut)}b`, `c${report}d`, report, "e"]) {
        take(piece);
        jest.advanceTimersByTime(100);
      }
      expect([cut, keys.join("")]).toEqual([cut, "abcde"]);
    }
  });

test("TerminalReplies joins a report that arrives character by character", () => {
  for (const report of Object.values(reports)) {
    const { keys, take } = typed();
    for (const character of `a${report}b`) {
      take(character);
      jest.advanceTimersByTime(100);
    }
    expect([report, keys.join("")]).toEqual([report, "ab"]);
  }
});

test("TerminalReplies drops an unfinished report and passes text typed after it", () => {
  for (const report of Object.values(reports))
    for (let cut = 3; cut < report.length - 1; cut += 1) {
      const late = typed();
      late.take(report.slice(0, cut));
      jest.advanceTimersByTime(2_500);
      late.take("hello\r");
      expect([report.slice(0, cut), late.keys.join("")]).toEqual([report.slice(0, cut), "hello\r"]);
      const interrupted = typed();
      interrupted.take(report.slice(0, cut));
      interrupted.take("\u0003");
      expect([report.slice(0, cut), interrupted.keys.join("")]).toEqual([report.slice(0, cut), "\u0003"]);
    }
  const { keys, take } = typed();
  take(`${escape}]11;rgb:1e1e`);
  for (const key of "hi!") take(key);
  expect(keys.join("")).toBe("hi!");
});

test("TerminalReplies passes keys immediately, and a lone Escape or Alt-[ after a moment", () => {
  const keys = [
    "a",
    "é",
    "\r",
    `${escape}[A`,
    `${escape}[1;5D`,
    `${escape}OP`,
    `${escape}b`,
    `${escape}[97;5u`,
    `${escape}[27;2;13~`,
  ];
  const now = typed(false);
  for (const key of keys) now.take(key);
  expect(now.keys).toEqual(keys);
  for (const key of [escape, `${escape}[`, `${escape}]`, `${escape}O`]) {
    const later = typed();
    later.take(key);
    jest.advanceTimersByTime(250);
    later.take("x");
    expect(later.keys).toEqual([key, "x"]);
  }
  const unasked = typed(false);
  unasked.take(escape);
  jest.advanceTimersByTime(20);
  expect(unasked.keys).toEqual([escape]);
});

test("TerminalReplies joins the start of a paste and returns the rest unscanned", () => {
  const pasted = `${escape}]11;rgb:`;
  const text = `${escape}[200~${pasted}`;
  for (let cut = 1; cut < text.length - pasted.length; cut += 1) {
    const { keys, pasted: found, take } = typed();
    take(`a${text.slice(0, cut)}`);
    jest.advanceTimersByTime(100);
    take(text.slice(cut));
    expect([keys, found]).toEqual([["a"], [pasted]]);
  }
});

test("isSilentKey matches Kitty keys without text: releases, modifiers, locks, media, F13 to F35", () => {
  const silent = [
    "97;1:3u",
    "97;5:3u",
    "1;1:3A",
    "3;1:3~",
    "13;1:3u",
    "57441;2u",
    "57442;5:1u",
    "57358u",
    "57428u",
    "57376;1u",
    "57399;1:3u",
  ];
  for (const key of silent) expect([key, isSilentKey(`${escape}[${key}`)]).toEqual([key, true]);
  const heard = ["97u", "97;1:1u", "97;1:2u", "97:65;2u", "57399u", "57414u", "57417;1u", "13;2u", "27u", "1;3A"];
  for (const key of heard) expect([key, isSilentKey(`${escape}[${key}`)]).toEqual([key, false]);
  for (let code = 57_344; code <= 63_743; code += 1)
    if (decodeKittyPrintable(`${escape}[${code}u`) === undefined && (code < 57_399 || code > 57_426))
      expect(isSilentKey(`${escape}[${code}u`)).toBe(true);
});
