import { expect, test } from "bun:test";
import fc from "fast-check";
import { inboxNames } from "./inbox-name.ts";

const atMs = Date.UTC(2026, 10, 23, 23, 59);

function first(name: string | undefined, mediaType = "application/octet-stream"): string {
  return inboxNames(name, { mediaType, atMs }).next().value ?? "";
}

test("inboxNames returns safe, short and distinct names for any input", () => {
  const name = fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 400 }), fc.webPath());
  const property = fc.property(name, (given) => {
    const names = inboxNames(given, { mediaType: "text/plain", atMs });
    const some = [1, 2, 3].map(() => names.next().value ?? "");
    for (const made of some) {
      expect(made).toMatch(/^2026-11-23-[\p{L}\p{N}][\p{L}\p{N}._-]*$/u);
      expect(Buffer.byteLength(made)).toBeLessThanOrEqual(255);
    }
    expect(new Set(some).size).toBe(3);
  });
  fc.assert(property, { numRuns: 500 });
});

for (const [given, made] of [
  ["Report 2026.PDF", "2026-11-23-Report_2026.PDF"],
  ["../../.ssh/authorized_keys", "2026-11-23-authorized_keys"],
  ["C:\\Users\\ada\\a.docx", "2026-11-23-a.docx"],
  ["AGENTS.md", "2026-11-23-AGENTS.md"],
  [".env", "2026-11-23-env"],
  ["a\u202egnp.exe", "2026-11-23-a_gnp.exe"],
  ["Отчёт.pdf", "2026-11-23-Отчёт.pdf"],
  ["x".repeat(300) + ".tar.gz", `2026-11-23-${"x".repeat(40)}.gz`],
  ["𝒜".repeat(60), `2026-11-23-${"𝒜".repeat(20)}`],
  [`a${"𝒜".repeat(60)}`, `2026-11-23-a${"𝒜".repeat(19)}`],
  ["...", "2026-11-23-file"],
] as const)
  test(`inboxNames makes "${made.slice(0, 40)}" of ${JSON.stringify(given.slice(0, 40))}`, () =>
    expect(first(given)).toBe(made));

test("inboxNames derives a missing extension from the media type, and numbers further names from 2", () => {
  expect(first(undefined, "application/pdf")).toBe("2026-11-23-file.pdf");
  const names = inboxNames("a.txt", { mediaType: "text/plain", atMs });
  expect([names.next().value, names.next().value]).toEqual(["2026-11-23-a.txt", "2026-11-23-a-2.txt"]);
});
