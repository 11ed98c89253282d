import type { InputPart } from "@incipit/schema";
import { expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { SendableFiles } from "./sendable-files.ts";
import { createWorld, outcomeOf } from "../testing/test-world.ts";

function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const named = Buffer.concat([Buffer.from(type), content]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(Bun.hash.crc32(named));
  return Buffer.concat([length, named, sum]);
}

function png(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const content = deflateSync(Buffer.alloc((width + 1) * rows));
  const end = chunk("IEND", Buffer.alloc(0));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", content), end]);
}

async function sent(content: Buffer, mediaType: string): Promise<InputPart | string> {
  const file = { type: "file", mediaType, data: content.toString("base64"), filename: "a" } as const;
  const made = await new SendableFiles().of(file);
  return made.kind === "part" ? made.part : made.why;
}

async function picture(content: Buffer, mediaType = "image/png"): Promise<readonly (string | number)[]> {
  const part = await sent(content, mediaType);
  if (typeof part === "string" || part.type !== "file") throw new Error(JSON.stringify(part));
  const bytes = Buffer.from(part.data, "base64");
  const { width, height, format } = await new Bun.Image(bytes).metadata();
  expect(part.mediaType).toBe(`image/${format}`);
  return [part.mediaType, width, height];
}

const base64 = (text: string): Buffer => Buffer.from(text, "base64");
const cmykJpeg = base64(
  "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1hpCeo6utq2eAvMm6pseZqKuk/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwDVrCrCrpqKKKK//9k=",
);
const movingGif = base64(
  "R0lGODdhEAAIAIEAAMgeHgAAAAAAAAAAACwAAAAAEAAIAAAIFQABCBxIsKDBgwgTKlzIsKHDhwgDAgAh+QQBAAABACwAAAAAEAAIAIEUHsgAAAAAAAAAAAAIFQABCBxIsKDBgwgTKlzIsKHDhwgDAgA7",
);
const movingWebp = base64(
  "UklGRsAAAABXRUJQVlA4WAoAAAACAAAADwAABwAAQU5JTQYAAAAAAAAAAABBTk1GRgAAAAAAAAAAAA8AAAcAAAAAAAJWUDggLgAAADABAJ0BKhAACAABQCYloAADcAD+8dyP/+xfytfytUv//+9gv/9xn//3Gf/T4ABBTk1GRgAAAAAAAAAAAA8AAAcAAAAAAABWUDggLgAAADQBAJ0BKhAACAAAACYloAADcAD++X2///3sF//uwX/+7Bf7Mf/0K9ZffRoAAAA=",
);
const webp = base64("UklGRjoAAABXRUJQVlA4IC4AAACwAQCdASoQAAgAAUAmJaACdLoABDAAAP7x3I/4DdfFtMv/vYL/3YL/3YL/WwAA");

function turned(jpeg: Buffer): Buffer {
  const tiff = base64("TU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAA=");
  const content = Buffer.concat([Buffer.from("Exif\0\0"), tiff]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, content, jpeg.subarray(2)]);
}

test("SendableFiles sends an image within limits unchanged, with its detected type", async () => {
  const small = png(1_440, 857);

  expect(await sent(small, "image/jpeg")).toEqual({
    type: "file",
    mediaType: "image/png",
    data: small.toString("base64"),
    filename: "a",
  });
  expect(await picture(small, "application/octet-stream")).toEqual(["image/png", 1_440, 857]);
  expect(await picture(webp, "image/png")).toEqual(["image/webp", 16, 8]);
});

test("SendableFiles shrinks, rotates and converts images that vendors reject", async () => {
  const jpeg = await new Bun.Image(png(16, 8)).jpeg().buffer();
  const bmp = Buffer.alloc(70);
  bmp.write("BM");
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, 2],
    [22, 2],
  ] as const)
    bmp.writeUInt32LE(value, at);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);

  expect(await picture(png(1_440, 8_570))).toEqual(["image/png", 336, 2_000]);
  expect(await picture(turned(jpeg))).toEqual(["image/jpeg", 8, 16]);
  expect(await picture(cmykJpeg)).toEqual(["image/jpeg", 16, 8]);
  expect(await sent(cmykJpeg, "image/jpeg")).not.toMatchObject({ data: cmykJpeg.toString("base64") });
  expect(await picture(jpeg.subarray(0, -2))).toEqual(["image/jpeg", 16, 8]);
  expect(await picture(movingGif)).toEqual(["image/png", 16, 8]);
  expect(await picture(bmp)).toEqual(["image/png", 2, 2]);
});

test("SendableFiles shrinks a noise image to the size limit", async () => {
  const noise = Buffer.alloc(1_500 * 1_501);
  for (let at = 0, state = 1; at < noise.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    noise[at] = at % 1_501 === 0 ? 0 : state >> 16;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(500, 0);
  header.writeUInt32BE(1_500, 4);
  header[8] = 8;
  header[9] = 2;
  const large = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(noise, { level: 0 })),
    chunk("zzZz", Buffer.alloc(2_000_000)),
    chunk("IEND", Buffer.alloc(0)),
  ]);

  const part = await sent(large, "image/png");

  if (typeof part === "string" || part.type !== "file") throw new Error(JSON.stringify(part));
  expect(part.data.length).toBeLessThanOrEqual(5 * 1_048_576);
});

test("SendableFiles rejects invalid, truncated, oversized and unsupported images with a reason", async () => {
  const whole = png(300, 300);
  for (const [content, mediaType, why] of [
    [Buffer.from("hello, world!"), "image/png", "its content is not that of a PNG"],
    [whole.subarray(0, 60), "image/png", "damaged or cut off"],
    [whole.subarray(0, 20), "image/png", "damaged or cut off"],
    [png(30_000, 30_000, 1), "image/png", "30000 x 30000 pixels"],
    [png(5_000, 5_000, 1), "image/png", "damaged or cut off"],
    [movingWebp, "image/webp", "moving picture"],
    [Buffer.from("II*\0\x08\0\0\0", "latin1"), "image/tiff", "TIFF"],
    [Buffer.from("%PDF-1.7\n1 0 obj"), "application/pdf", "cut off"],
    [Buffer.from("<html>"), "application/pdf", "not that of a PDF"],
  ] as const)
    expect(await sent(Buffer.from(content), mediaType)).toContain(why);
});

test("SendableFiles sends an SVG as text, detects a PDF, and keeps other files", async () => {
  const svg = '<?xml version="1.0"?>\n<!-- x -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
  const pdf = Buffer.from("%PDF-1.7\n%%EOF\n");

  expect(await sent(Buffer.from(svg), "image/svg+xml")).toEqual({ type: "text", text: `a:\n\n${svg}\n\n` });
  expect(await sent(pdf, "application/octet-stream")).toMatchObject({ mediaType: "application/pdf" });
  expect(await sent(Buffer.from("x"), "text/plain")).toMatchObject({ mediaType: "text/plain", data: "eA==" });
});

test("SendableFiles sends text unchanged, even if it resembles a file header", async () => {
  const sales = "BMW sold more cars than it made.";
  const texts = [sales, "GIF89a is a format of pictures", "A file begins with %PDF-1.7"];
  for (const text of texts)
    expect(await sent(Buffer.from(text), "text/plain")).toMatchObject({
      mediaType: "text/plain",
      data: btoa(text),
    });
  expect(await sent(Buffer.from(sales), "application/octet-stream")).toMatchObject({ data: btoa(sales) });
});

test("send rejects an unsendable file by name before storing anything", async () => {
  await using world = await createWorld({});
  const { id } = await world.conversations.create({});
  const file = { type: "file", mediaType: "image/png", data: btoa("hello, world!"), filename: "x.png" } as const;

  const refused = await outcomeOf(world.conversations.send(id, { input: [file] }));
  const events = await world.turn(id, "two");

  expect(refused).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringMatching(/^Cannot send "x\.png" \(13 bytes\): its content is not/),
  });
  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(world.requests.map(({ messages }) => messages.length)).toEqual([1]);
});
