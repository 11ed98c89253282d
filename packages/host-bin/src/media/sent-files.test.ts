import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { link, mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { MediaWorld } from "./testing/media-world.ts";

const png = new Uint8Array(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1"));

test("split() separates a reply into ordered texts and files", async () => {
  await using world = await MediaWorld.start();
  await Bun.write(join(world.cwd, "out/a.png"), png);
  await Bun.write(join(world.cwd, "my report.pdf"), "%PDF-1.7 and so on");

  const { parts, note, taken } = await world.split(
    "Here they are:\n\nMEDIA:./out/a.png\n\n  and\n\n- MEDIA: my report.pdf\n```\nMEDIA:./in.png\n```\n",
  );

  expect(parts).toEqual([
    { kind: "text", text: "Here they are:" },
    { kind: "file", path: "./out/a.png", name: "a.png", mediaType: "image/png", bytes: png },
    { kind: "text", text: "  and" },
    {
      kind: "file",
      path: "my report.pdf",
      name: "my report.pdf",
      mediaType: "application/pdf",
      bytes: new TextEncoder().encode("%PDF-1.7 and so on"),
    },
    { kind: "text", text: "```\nMEDIA:./in.png\n```" },
  ]);
  expect({ note, taken }).toEqual({ note: undefined, taken: undefined });
  expect(await world.media.read(world.id, "./out/a.png")).toMatchObject({ kind: "file", bytes: png });
});

test("split() returns a reply without files unchanged, and nothing for an empty one", async () => {
  await using world = await MediaWorld.start();

  expect(await world.parts("\n  Hi.\n\n")).toEqual([{ kind: "text", text: "\n  Hi.\n\n" }]);
  expect(await world.parts(" \n")).toEqual([]);
});

test("split() rejects invalid paths with a reason each, without opening them", async () => {
  await using world = await MediaWorld.start();
  const at = (path: string): string => join(world.cwd, path);
  await Bun.write(join(world.host.home, "secret.png"), png);
  await Bun.write(at("a.png"), png);
  await Bun.write(at(".ssh/key.txt"), "secret");
  await Bun.write(at("key.pem"), "secret");
  await Bun.write(at("empty.png"), "");
  await Bun.write(at("text.png"), "no image");
  await Bun.write(at("binary.txt"), new Uint8Array([65, 0, 66]));
  await Bun.write(at("huge.pdf"), "");
  await truncate(at("huge.pdf"), 2 * 1024 ** 3);
  await mkdir(at("folder.png"));
  await symlink("../secret.png", at("out.png"));
  await symlink(world.host.home, at("up"));
  await symlink(".ssh/key.txt", at("harmless.txt"));
  await symlink("key.pem", at("other.txt"));
  await symlink("a.png", at("in.png"));
  await symlink("nowhere.png", at("dangling.png"));
  await Bun.spawn(["mkfifo", at("pipe.png")]).exited;
  await using writer = Bun.spawn(["sh", "-c", 'printf x > "$1"', "sh", at("pipe.png")], { stdout: "ignore" });
  const outside = "it leads out of the working folder, or may not be read";

  for (const [path, why] of [
    ["../secret.png", 'its path has ".."; it must stay in the working folder'],
    ["up/../../secret.png", 'its path has ".."; it must stay in the working folder'],
    [at("a.png"), "its path is absolute; it must be relative to the working folder"],
    ["~/a.png", "its path begins with ~; it must be relative to the working folder"],
    ["https://a.dev/a.png", "it is an address; only files of the working folder are sent"],
    ["out.png", outside],
    ["up/secret.png", outside],
    ["up/data/token.txt", outside],
    [".ssh/key.txt", '".ssh" is hidden; such files are not sent'],
    ["harmless.txt", '".ssh" is hidden; such files are not sent'],
    ["other.txt", "it is a link to another kind of file"],
    ["key.pem", "its name is not that of an image, audio, video or document"],
    ["dangling.png", "there is no such file"],
    ["missing.png", "there is no such file"],
    ["a.png/b.png", "there is no such file"],
    ["folder.png", "it is not a regular file"],
    ["pipe.png", "it is not a regular file"],
    ["huge.pdf", "it has more than 50 MB"],
    ["empty.png", "it is empty"],
    ["text.png", "its content does not match its name"],
    ["binary.txt", "its content does not match its name"],
  ] as const)
    expect(await world.parts(`MEDIA:${path}`)).toEqual([{ kind: "refused", line: `MEDIA:${path}`, why }]);
  expect(writer.exitCode).toBeNull();
  expect(await world.parts("MEDIA:in.png")).toMatchObject([{ kind: "file", name: "in.png", bytes: png }]);
});

test("split() reports all rejections to the model in one sanitized sentence", async () => {
  await using world = await MediaWorld.start();

  const { parts, note } = await world.split('MEDIA:../"a".png\nMEDIA:b\u001b[2J\u202e.png\nMEDIA:c.png');

  expect(note).toBe(
    '[MEDIA] Not sent with your last reply: "MEDIA:../\\"a\\".png" (its path has ".."; it must stay in the working folder); ' +
      '"MEDIA:b\\\\u001b[2J\\\\u202e.png" (its path has a hidden character); "MEDIA:c.png" (there is no such file)',
  );
  expect(parts).toHaveLength(3);
});

test("split() limits a reply to ten files, 64 MB and the channel's maximum per file", async () => {
  await using world = await MediaWorld.start();
  for (let number = 0; number < 12; number += 1) await Bun.write(join(world.cwd, `${number}.png`), png);
  const large = new Uint8Array(40 * 1024 ** 2);
  large.set(png);
  await Bun.write(join(world.cwd, "large.png"), large);
  await link(join(world.cwd, "large.png"), join(world.cwd, "same.png"));
  const names = [...Array(12).keys()].map((number) => `MEDIA:${number}.png`);

  const many = await world.parts(names.join("\n"));
  const [first, second, third] = await world.parts("MEDIA:large.png\nMEDIA:same.png\nMEDIA:0.png");
  const narrow = await world.media.read(world.id, "large.png", { maxFileBytes: 1_048_576 });

  expect(many.map(({ kind }) => kind)).toEqual([...Array(10).fill("file"), "refused"]);
  expect(many.at(-1)).toEqual({
    kind: "refused",
    line: "MEDIA:10.png",
    why: "a reply sends at most 10 files, and 1 more",
  });
  expect(first).toMatchObject({ kind: "file" });
  expect(second).toMatchObject({ kind: "refused", why: "the files of a reply have at most 64 MB together" });
  expect(third).toMatchObject({ kind: "file" });
  expect(narrow).toMatchObject({ kind: "refused", why: "it has more than 1 MB" });
});

test("split() sends no files from the folder of an imported conversation", async () => {
  await using world = await MediaWorld.start();
  await Bun.write(join(world.cwd, "a.png"), png);
  await world.turn();
  const exported = await world.host.client.exportConversation(world.id);
  const text = await new Response(exported).text();
  await world.host.client.call(routes.deleteConversation, { params: { id: world.id } });
  const { id } = await world.host.client.importConversation(new Blob([text]));

  expect(await world.parts("MEDIA:a.png", id)).toMatchObject([
    { kind: "refused", why: "the conversation was imported, and its folder was not confirmed" },
  ]);
  const file = { name: "a.txt", mediaType: "text/plain", bytes: new Uint8Array([65]) };
  expect(await world.media.keep(id, file)).toMatchObject({ kind: "refused" });
});
