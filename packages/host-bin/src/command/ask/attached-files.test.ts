import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withFiles } from "./attached-files.ts";

const maxSentBytes = 7_936 * 1_024;

test("withFiles prepends files to the message: text as text, others as files", async () => {
  await using folder = await createTempFolder();
  const path = (name: string): string => join(folder.path, name);
  await Bun.write(path("notes.md"), "Otters");
  await Bun.write(path("data.json"), "{}");
  await Bun.write(path("latin.txt"), Uint8Array.of(0xfc));
  await Bun.write(path("image.png"), Uint8Array.of(1, 2));

  expect(await withFiles("Hi", [])).toBe("Hi");
  expect(await withFiles("Hi", ["notes.md", "data.json", "latin.txt", "image.png"].map(path))).toEqual([
    { type: "text", text: "notes.md:\n\nOtters\n\n" },
    { type: "text", text: "data.json:\n\n{}\n\n" },
    { type: "file", mediaType: "text/plain", data: "/A==", filename: "latin.txt" },
    { type: "file", mediaType: "image/png", data: "AQI=", filename: "image.png" },
    { type: "text", text: "Hi" },
  ]);
});

test("withFiles decodes UTF-16, Windows-1252 and a byte order mark", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "notes.txt");
  const text = "Ein größerer Otter.\r\n";
  const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
  for (const bytes of [
    Buffer.from(`\uFEFF${text}`),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(text, "latin1"),
  ]) {
    await Bun.write(path, bytes);

    expect(await withFiles("Hi", [path])).toEqual([
      { type: "text", text: `notes.txt:\n\n${text}\n\n` },
      { type: "text", text: "Hi" },
    ]);
  }
});

test("withFiles limits the total size to a request and names the first excess file", async () => {
  await using folder = await createTempFolder();
  const path = (name: string): string => join(folder.path, name);
  const most = ((maxSentBytes - 1_000) / 4) * 3;
  await Bun.write(path("most.png"), new Uint8Array(most));
  await Bun.write(path("one.bin"), new Uint8Array(1));
  await Bun.write(path("two.bin"), new Uint8Array(1_000));
  await Bun.write(path("far.png"), new Uint8Array(maxSentBytes + 1));
  const failureOf = (...names: readonly string[]): Promise<unknown> =>
    withFiles("Hi", names.map(path)).catch((error: unknown) => error);
  const why = (name: string, size: number): string =>
    `Cannot attach "${path(name)}": with its ${size} bytes the files would have more than ${maxSentBytes} as they are sent (base64 needs a third more); make it smaller, or attach less`;

  expect(await failureOf("most.png", "one.bin")).toHaveLength(3);
  expect(await failureOf("most.png", "two.bin")).toMatchObject({ message: why("two.bin", 1_000) });
  expect(await failureOf("far.png")).toMatchObject({ message: why("far.png", maxSentBytes + 1) });
});

test("withFiles explains why a file cannot be attached", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "empty.md"), "");
  await mkdir(join(folder.path, "folder"));

  for (const [name, why] of [
    ["none.md", "there is no such file"],
    ["folder", "it is not a file"],
    ["empty.md", "it is empty"],
  ] as const)
    expect(await withFiles("Hi", [join(folder.path, name)]).catch((error: unknown) => error)).toMatchObject({
      message: `Cannot attach "${join(folder.path, name)}": ${why}`,
    });
});
