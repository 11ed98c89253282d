import { expect, test } from "bun:test";
import { turnInputSchema } from "./turn-input.ts";

const png = { type: "file", mediaType: "image/png", data: "AAEC", filename: "é 🎉.png" } as const;

test("turnInputSchema accepts text, and text and files in any order", () => {
  for (const input of [
    "a",
    "\u0000\n🎉",
    [{ type: "text", text: "\u0000\n🎉" }, png],
    [png],
    [{ type: "file", mediaType: "application/pdf", data: "/w==" }],
  ])
    expect(JSON.stringify(turnInputSchema.parse(input))).toBe(JSON.stringify(input));
});

test("turnInputSchema accepts a file of 6 MB", () => {
  const data = Buffer.alloc(6_000_000, 7).toString("base64");
  expect(turnInputSchema.safeParse([{ ...png, data }]).success).toBe(true);
  expect(turnInputSchema.safeParse([{ ...png, data: `${data.slice(0, -1)}!` }]).success).toBe(false);
});

test("turnInputSchema rejects blank text, invalid base64, media types and file names", () => {
  for (const input of [
    ...["", " ", "\t\r\n\u00a0\u2028\ufeff"].flatMap((text) => [text, [png, { type: "text", text }]]),
    [],
    [{ type: "text", text: "a", metadata: {} }],
    [{ type: "tool-call", toolCallId: "t", name: "a", input: "{}" }],
    ...["", "A", "AAE", "AAEC\n", "A AEC", "AAE-", "/x==", "data:image/png;base64,AAEC"].map((data) => [
      { ...png, data },
    ]),
    ...["", "image", "image/", "/png", "Image/PNG", "image/png; q=1", "image/*", "image/png\n"].map((mediaType) => [
      { ...png, mediaType },
    ]),
    ...["", "a/b", "..\\b", "a\nb", "a\u0000", "a\u2028b", "x".repeat(256)].map((filename) => [
      { ...png, filename },
    ]),
    [{ ...png, url: "http://x" }],
  ])
    expect({ input, isTaken: turnInputSchema.safeParse(input).success }).toEqual({ input, isTaken: false });
});
