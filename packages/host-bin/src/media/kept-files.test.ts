import { expect, test } from "bun:test";
import type { Dirent } from "node:fs";
import { mkdir, readdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { MediaWorld } from "./testing/media-world.ts";

const png = new Uint8Array(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1"));
const inbox = ".incipit/inbox";

function textFile(
  name: string,
  text = "Hello",
): { name: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> } {
  return { name, mediaType: "text/plain", bytes: new TextEncoder().encode(text) };
}

async function entries(world: MediaWorld): Promise<Readonly<Record<string, string>>> {
  const found = await readdir(join(world.cwd, inbox), { withFileTypes: true });
  const kindOf = (entry: Dirent): string =>
    entry.isSymbolicLink() ? "link" : entry.isFIFO() ? "pipe" : entry.isDirectory() ? "folder" : "file";
  const sorted = found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(sorted.map((entry) => [entry.name, kindOf(entry)]));
}

test("keep() detects images by content and stores anything else as a file", async () => {
  await using world = await MediaWorld.start();

  const image = await world.keep({ name: "../x/photo.bin", mediaType: "application/zip", bytes: png });
  const file = await world.keep({ ...textFile("photo.png"), mediaType: "image/png" });

  expect(image).toEqual({
    kind: "image",
    part: {
      type: "file",
      mediaType: "image/png",
      data: Buffer.from(png).toString("base64"),
      filename: expect.stringMatching(/^\d{4}-\d\d-\d\d-photo\.bin$/),
    },
  });
  const path = file.kind === "kept" ? file.path : "";
  expect(path).toMatch(/^\.incipit\/inbox\/\d{4}-\d\d-\d\d-photo\.png$/);
  expect(file).toEqual({ kind: "kept", path, text: `[MEDIA] The user has sent a file: ${path} (5 bytes)` });
  expect(await Bun.file(join(world.cwd, path)).text()).toBe("Hello");
});

test("keep() adds files without overwriting files, links or pipes", async () => {
  await using world = await MediaWorld.start();
  await mkdir(join(world.cwd, inbox), { recursive: true });
  await Bun.write(join(world.host.home, "outside.txt"), "before");
  for (const day of [Date.now(), Date.now() + 86_400_000].map((ms) => new Date(ms).toISOString().slice(0, 10))) {
    const at = (name: string): string => join(world.cwd, inbox, `${day}-${name}`);
    await symlink("../../../outside.txt", at("a.txt"));
    await symlink("../../nowhere.txt", at("a-2.txt"));
    await Bun.spawn(["mkfifo", at("a-3.txt")]).exited;
    await mkdir(at("a-4.txt"));
  }
  const before = await entries(world);

  await Promise.all([textFile("a.txt", "one"), textFile("a.txt", "two")].map((file) => world.keep(file)));

  const after = await entries(world);
  expect(after).toMatchObject(before);
  const written = Object.keys(after).filter((name) => !(name in before));
  expect(written.map((name) => name.slice(11))).toEqual(["a-5.txt", "a-6.txt"]);
  const texts = await Promise.all(written.map((name) => Bun.file(join(world.cwd, inbox, name)).text()));
  expect(texts.toSorted()).toEqual(["one", "two"]);
  expect(await Bun.file(join(world.host.home, "outside.txt")).text()).toBe("before");
  expect(await Bun.file(join(world.cwd, "nowhere.txt")).exists()).toBe(false);
});

for (const [what, from, to] of [
  ["outside the folder", ".incipit", "../elsewhere"],
  ["to another place in the folder", ".incipit", ".git"],
  ["from the inbox to what acts", inbox, "../.git/hooks"],
] as const)
  test(`keep() writes nothing where a link leads ${what}`, async () => {
    await using world = await MediaWorld.start();
    await mkdir(join(world.host.home, "elsewhere/inbox"), { recursive: true });
    await mkdir(join(world.cwd, ".git/hooks"), { recursive: true });
    await mkdir(join(world.cwd, ".git/inbox"), { recursive: true });
    if (from === inbox) await mkdir(join(world.cwd, ".incipit"));
    await symlink(to, join(world.cwd, from));

    expect(await world.keep(textFile("a.txt"))).toMatchObject({
      kind: "refused",
      why: `"${inbox}" is a link, or cannot be used`,
    });
    for (const folder of ["elsewhere/inbox", "work/.git/hooks", "work/.git/inbox"])
      expect(await readdir(join(world.host.home, folder))).toEqual([]);
  });

test("keep() rejects empty and oversized files, and more than an inbox holds", async () => {
  await using world = await MediaWorld.start({ config: "extensions.settings.media.max_received_bytes = 10" });

  expect(await world.keep(textFile("a.txt", ""))).toMatchObject({ kind: "refused", why: "it is empty" });
  expect(await world.keep(textFile("a.txt", "x".repeat(11)))).toEqual({
    kind: "refused",
    why: "it has more than 10 bytes",
    text: "[MEDIA] The user has sent a file that was not kept: it has more than 10 bytes",
  });
  expect(await world.keep(textFile("a.txt", "x".repeat(10)))).toMatchObject({ kind: "kept" });
  await Bun.write(join(world.cwd, inbox, "large"), "");
  await truncate(join(world.cwd, inbox, "large"), 1024 ** 3 - 12);
  expect(await world.keep(textFile("b.txt", "xy"))).toMatchObject({ kind: "kept" });
  expect(await world.keep(textFile("c.txt", "x"))).toMatchObject({
    kind: "refused",
    why: `"${inbox}" is full; take something away from there`,
  });
});
