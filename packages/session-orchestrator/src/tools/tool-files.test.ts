import type { MessagePart, ModelMessage } from "@incipit/schema";
import { expect, test } from "bun:test";
import { ToolFiles } from "./tool-files.ts";

function base64(latin1: string, sizeBytes = latin1.length): string {
  return Buffer.concat([Buffer.from(latin1, "latin1"), Buffer.alloc(sizeBytes - latin1.length)]).toString("base64");
}

function png(width: number, height: number, sizeBytes = 64): string {
  const sides = Buffer.alloc(8);
  sides.writeUInt32BE(width, 0);
  sides.writeUInt32BE(height, 4);
  return base64(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${sides.toString("latin1")}`, sizeBytes);
}

function taken(data: string, mediaType = "image/png"): string {
  const { output, files } = new ToolFiles([]).take("", [{ mediaType, data }]);
  return files[0]?.mediaType ?? output;
}

const jpeg = "\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc4\0\x03c\xff\xc2\0\x0b\x08\x00\x20\x00\x10\x03";
const largeJpeg = jpeg.replace("\x08\x00\x20", "\x08\x20\x00");
const riff = (rest: string): string => `RIFF\0\0\0\0${rest}`;

test("ToolFiles detects file types by content and keeps the text unchanged", () => {
  const files = {
    "image/png": png(2_000, 1),
    "image/jpeg": base64(jpeg),
    "image/gif": base64("GIF89a\x10\0\x20\0"),
    "image/webp": base64(riff("WEBPVP8X\0\0\0\0\0\0\0\0\x10\0\0\x20\0\0")),
    "audio/wav": base64(riff("WAVE")),
    "audio/mp3": base64("ID3\x04"),
    "audio/ogg": base64("OggS"),
    "audio/flac": base64("fLaC"),
  };
  for (const [mediaType, data] of Object.entries(files)) expect(taken(data, "x/y")).toBe(mediaType);
  expect(taken(base64(riff("WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x10\0\x20\0")))).toBe("image/webp");
  expect(taken(base64(riff("WEBPVP8L\0\0\0\0\x2f\x10\0\x01\0")))).toBe("image/webp");
  const data = png(1, 1);
  expect(new ToolFiles([]).take("seen", [{ mediaType: "IMAGE/PNG; a=b", data }])).toEqual({
    output: "seen",
    files: [{ type: "file", mediaType: "image/png", data }],
  });
  expect(new ToolFiles([]).take("", [{ mediaType: "x", data }]).output).toBe("[files: 1]");
});

test("[attack:bounds-tool-files] ToolFiles replaces a file that vendors would reject with a description", () => {
  for (const [data, why] of [
    [png(2_001, 1), "it has 2001 x 1 pixels, and models take up to 2000 on each side; ask for a smaller one"],
    [base64(largeJpeg), "it has 16 x 8192 pixels, and models take up to 2000 on each side; ask for a smaller one"],
    [png(0, 5), "it is not a whole picture"],
    [base64("\x89PNG\r\n\x1a\n"), "it is not a whole picture"],
    [base64("\xff\xd8\xff\xe0"), "it is not a whole picture"],
    [base64("\xff\xd8\xff\xff".padEnd(100_000, "\xff")), "it is not a whole picture"],
    [base64(riff("WEBPVP9 ")), "it is not a whole picture"],
    [base64("GIF89a\x10\0\x20\0NETSCAPE2.0"), "it is a moving picture"],
    [base64(riff("WEBPVP8X\0\0\0\0\x02\0\0\0\x10\0\0\x20\0\0")), "it is a moving picture"],
    [base64("%PDF-1.7"), "it is neither a PNG, JPEG, GIF or WebP picture nor a sound"],
    [base64("<svg>"), "it is neither a PNG, JPEG, GIF or WebP picture nor a sound"],
    ["", "it is neither a PNG, JPEG, GIF or WebP picture nor a sound"],
    [`${png(1, 1).slice(0, 40)}\n${png(1, 1).slice(40)}`, "it is not base64 without line breaks"],
    [png(1, 1, 3_932_161), "a file of a tool may have 3932160 bytes"],
  ] as const)
    expect(taken(data)).toMatch(new RegExp(`^\\[file: image/png, \\d+ bytes; left out: ${why}\\]$`));
  expect(taken("", "a\nb")).toStartWith("[file: of no known type, 0 bytes; left out: ");
});

test("[attack:bounds-tool-files] ToolFiles keeps 80 files and 12 MiB per epoch, counting earlier replies", () => {
  const files = Array.from({ length: 90 }, () => ({ mediaType: "image/png", data: png(1, 1) }));
  const result = (kept: Extract<MessagePart, { type: "tool-result" }>["files"]): ModelMessage => ({
    role: "tool",
    parts: [{ type: "tool-result", toolCallId: "a", name: "a", output: "", isError: false, files: kept ?? [] }],
  });
  const many = new ToolFiles([]).take("", files);
  const large = { mediaType: "image/png", data: png(1, 1, 3_900_000) };
  const endless = Array.from({ length: 5_000 }, () => ({ mediaType: "image/png", data: "" }));
  const full = new ToolFiles([]).take("", [large, large, large, large]);

  expect(new ToolFiles([]).take("", endless).output.split("\n").slice(20)).toEqual([
    "[files: 4980 more are left out]",
  ]);
  expect(many.files).toHaveLength(80);
  expect(many.output.split("\n")).toHaveLength(10);
  expect(new ToolFiles([result([...many.files])]).take("", files).files).toEqual([]);
  expect(full.files).toHaveLength(3);
  expect(full.output).toContain("12582912 bytes");
  expect(new ToolFiles([result([...full.files])]).take("", [large]).files).toEqual([]);
});
