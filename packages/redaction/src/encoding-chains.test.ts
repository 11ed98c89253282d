import { expect, test } from "bun:test";
import fc from "fast-check";
import { plainText } from "./plain-text.ts";
import { Redactor } from "./redactor.ts";

const escapeEach = (text: string, escape: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, at) => escape(text.charCodeAt(at))).join("");
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const encoders: Readonly<Record<string, (text: string) => string>> = {
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "JSON with \\/": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "\\u0000": (text) => escapeEach(text, (code) => `\\u${hex(code, 4)}`),
  "\\u0000 for what is special": (text) =>
    text.replaceAll(/[^A-Za-z0-9 ]/g, (it) => `\\u${hex(it.charCodeAt(0), 4)}`),
  "\\x00": (text) => escapeEach(text, (code) => `\\x${hex(code, 2)}`),
  "\\x00 for what is special": (text) =>
    text.replaceAll(/[^A-Za-z0-9 ]/g, (it) => `\\x${hex(it.charCodeAt(0), 2)}`),
  percent: encodeURIComponent,
  "percent for all": (text) => escapeEach(text, (code) => `%${hex(code, 2)}`),
  form: (text) => new URLSearchParams({ text }).toString().slice("text=".length),
  HTML: (text) => text.replaceAll(/[&<>"']/g, (it) => named[it] ?? it),
  "HTML decimal": (text) => text.replaceAll(/[^A-Za-z0-9 ]/g, (it) => `&#${String(it.charCodeAt(0))};`),
  "HTML hexadecimal for all": (text) => escapeEach(text, (code) => `&#x${hex(code, 2)};`),
};
const names = Object.keys(encoders);

function encode(text: string, chain: readonly string[]): string {
  return chain.reduce((written, name) => encoders[name]?.(written) ?? written, text);
}

test("[attack:secrets-encoded-backslash] redact() finds keys with backslash sequences in each pair of encodings", () => {
  for (const letter of ["b", "f", "n", "r", "t", '"', "'", "/", "x", "x41", "u0041", "\t", "\\", ""])
    for (const secret of [`planted-Key0\\${letter}of.the_vendor~1`, `planted-Key0.of.the_vendor\\${letter}`]) {
      const redactor = Redactor.ofValues([secret]);
      const missed = names.flatMap((first) =>
        names.filter((second) => !redactor.redact(`<${encode(secret, [first, second])}>`).startsWith("<[redacted")),
      );
      expect({ secret, missed }).toEqual({ secret, missed: [] });
    }
});

test("redact() finds keys with special characters in each chain of three encodings", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "\\",
      "%",
      "&",
      "+",
      "/",
      '"',
      "'",
      " ",
      "<",
      "\t",
      "\n",
      ";",
      "#",
      "x",
      "u",
      "n",
      "b",
      "f",
      "r",
    ),
    fc.constantFrom("\\n", "\\x41", "\\u0041", "%41", "%5C", "%255C", "&amp;", "&#92;", "\\u005c", "\\x5c", "5c"),
    fc.constantFrom("Q", "7k", "_v", "z.Z", "9-L"),
  );
  const secrets = fc.array(piece, { minLength: 4, maxLength: 12 }).map((pieces) => `kP9w-${pieces.join("")}~Jq4Z`);
  const chains = fc.array(fc.constantFrom(...names), { maxLength: 3 });
  fc.assert(
    fc.property(secrets, chains, (secret, chain) => {
      const redactor = Redactor.ofValues([secret]);
      expect(redactor.redact(`<${encode(secret, chain)}>`)).toBe("<[redacted:secret]>");
    }),
    { numRuns: 500 },
  );
});

test("redact() finds a key with quotes and backslashes in Base64-encoded JSON", () => {
  const secret = 'planted-Key0\\n"of.the_vendor~1';
  const redactor = Redactor.ofValues([secret]);
  for (const before of ["", "~", "~~"]) {
    const left = redactor.redact(btoa(JSON.stringify({ [before]: secret })));
    expect(left).toContain("[redacted:secret]");
    // No identifiable part of the key remains.
    const parts = left.split("[redacted:secret]").map((part) => Buffer.from(part, "base64").toString("latin1"));
    expect(parts.join("|")).not.toMatch(/plant|vendo/);
  }
});

test("plainText() decodes character references, including surrogate pairs", () => {
  for (const text of ["a😀b", "é&漢"]) {
    const decimal = Array.from(text, (it) => `&#${String(it.codePointAt(0))};`).join("");
    const hexadecimal = Array.from(text, (it) => `&#x${hex(it.codePointAt(0) ?? 0, 6)};`).join("");
    expect([decimal, hexadecimal].map(plainText)).toEqual([text, text]);
  }
  for (const none of ["&;", "&#;", "&#x;", "&#1114112;", "&nope;", "&abcdefghijklmnopq;", "&am", "& amp;", "a&b;c"])
    expect(plainText(none)).toBe(none);
});

test("redact() is linear for texts with invalid escapes", () => {
  const redactor = Redactor.ofValues(["planted-Key0\\nof.the_vendor~1"]);
  for (const unit of [
    "&",
    "&#",
    "&amp",
    "&amp;",
    "\\u004",
    "\\u",
    "\\x5c",
    "%5C",
    "%255",
    "%\\&",
    "\\u005c",
    "%2",
    "&#9%",
    "%5Cu",
  ]) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    expect({ unit, isWhole: redactor.redact(text) === text }).toEqual({ unit, isWhole: true });
  }
});
