import { expect, test } from "bun:test";
import { endingOfType, imageForModels, isAsNamed, typeOfName } from "./file-types.ts";

const bytes = (latin1: string): Uint8Array => new Uint8Array(Buffer.from(latin1, "latin1"));

for (const [name, content, mediaType] of [
  ["a.png", "\x89PNG\r\n\x1a\n...", "image/png"],
  ["a.JPG", "\xff\xd8\xff\xe0...", "image/jpeg"],
  ["a.gif", "GIF89a...", "image/gif"],
  ["a.webp", "RIFF\0\0\0\0WEBP", "image/webp"],
  ["a.svg", '<?xml version="1.0"?><svg/>', "image/svg+xml"],
  ["a.heic", "\0\0\0\x18ftypheic", "image/heic"],
  ["a.mp3", "ID3\x04", "audio/mpeg"],
  ["a.mp3", "\xff\xfb\x90", "audio/mpeg"],
  ["a.wav", "RIFF\0\0\0\0WAVE", "audio/wav"],
  ["a.opus", "OggS\0", "audio/ogg"],
  ["a.mp4", "\0\0\0\x20ftypisom", "video/mp4"],
  ["a.webm", "\x1aE\xdf\xa3", "video/webm"],
  ["a.avi", "RIFF\0\0\0\0AVI LIST", "video/x-msvideo"],
  ["a.pdf", "%PDF-1.7", "application/pdf"],
  ["a.docx", "PK\x03\x04", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["a.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword"],
  ["a.txt", "Grüße", "text/plain"],
  ["a.csv", "\xff\xfea\0,\0b\0", "text/csv"],
] as const)
  test(`typeOfName and isAsNamed accept ${mediaType} and reject similar content`, () => {
    expect(typeOfName(name)).toBe(mediaType);
    expect(isAsNamed(name, bytes(content))).toBe(true);
    expect(isAsNamed(name, bytes("\0\x01\x02 something else"))).toBe(false);
    expect(isAsNamed(name, new Uint8Array(0))).toBe(mediaType.startsWith("text/"));
  });

test("typeOfName rejects programs, archives, settings, keys and bare extensions", () => {
  for (const name of [
    "a.exe",
    "a.sh",
    "a.zip",
    "a.pem",
    "a.env",
    "a.sqlite",
    "id_rsa",
    "a",
    ".png",
    "a.png.exe",
    "",
  ])
    expect({ name, type: typeOfName(name) }).toEqual({ name, type: undefined });
});

test("imageForModels decides by content alone", () => {
  expect(imageForModels(bytes("\x89PNG\r\n\x1a\n"))).toBe("image/png");
  expect(imageForModels(bytes("BM and so on"))).toBeUndefined();
  expect(imageForModels(bytes("%PDF-"))).toBeUndefined();
  expect(endingOfType("image/jpeg")).toBe("jpg");
  expect(endingOfType("application/x-unknown")).toBeUndefined();
});
