import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withFiles } from "./attached-files.ts";

const limit = 5 * 1_048_576;

test("withFiles puts files in front of the message: text as text, all others as what they are", async () => {
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

test("withFiles takes as much as a request has room for, of all files together, and names the one that is too much", async () => {
  await using folder = await createTempFolder();
  const path = (name: string): string => join(folder.path, name);
  await Bun.write(path("most.bin"), new Uint8Array(limit - 1));
  await Bun.write(path("one.bin"), new Uint8Array(1));
  await Bun.write(path("two.bin"), new Uint8Array(2));
  const failureOf = (...names: readonly string[]): Promise<unknown> =>
    withFiles("Hi", names.map(path)).catch((error: unknown) => error);

  expect(await failureOf("most.bin", "one.bin")).toHaveLength(3);
  expect(await failureOf("most.bin", "two.bin")).toMatchObject({
    message: `Cannot attach "${path("two.bin")}": with its 2 bytes the files would have more than ${limit}; attach less`,
  });
});

test("withFiles says of what cannot be attached why not", async () => {
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
