import { createTempFolder, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, realpath, rename, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { examineFolder } from "./examine-folder.ts";
import { readFolderConfig } from "./folder-config.ts";
import { ConfigSchema } from "../configuration/config-schema.ts";
import { readFolderFile } from "./folder-file.ts";
import { TrustStore } from "./trust-store.ts";

const schema = new ConfigSchema([]);

const named = { name: "incipit.toml", maxBytes: 1_000 };

interface World extends AsyncDisposable {
  readonly folder: string;
  readonly home: string;
}

async function newWorld(): Promise<World> {
  const temp = await createTempFolder();
  const home = await realpath(temp.path);
  await mkdir(join(home, "sent/inside"), { recursive: true });
  return { folder: join(home, "sent"), home, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

test("[attack:folder-link-out] readFolderFile follows links inside the folder, but not outside", async () => {
  await using world = await newWorld();
  const { folder, home } = world;
  await Bun.write(join(home, "mine.toml"), "model = 'offline/echo'");
  await Bun.write(join(folder, "inside/rules.md"), "rules");
  await symlink("../mine.toml", join(folder, "incipit.toml"));
  await symlink(home, join(folder, "up"));
  await symlink("inside/rules.md", join(folder, "AGENTS.md"));

  const out = { kind: "refused", reason: "it is a link to a place outside the folder" } as const;
  expect(readFolderFile(folder, named)).toEqual(out);
  expect(readFolderFile(folder, { ...named, name: "up/mine.toml" })).toEqual(out);
  const store = new TrustStore({ dataFolder: home, clock: new FakeClock(), report: () => undefined });
  expect(examineFolder(readFolderConfig(folder), { store, schema })).toMatchObject({
    files: [{ name: "inside/rules.md" }],
    refused: [{ name: "incipit.toml", reason: out.reason }],
    wishes: [],
  });
  expect(readFolderFile(folder, { ...named, name: "AGENTS.md" })).toMatchObject({
    kind: "read",
    path: join(folder, "inside/rules.md"),
  });
});

test("readFolderFile refuses irregular files and reports a dangling link as absent", async () => {
  await using world = await newWorld();
  await symlink("nowhere", join(world.folder, "incipit.toml"));

  expect(readFolderFile(world.folder, named)).toEqual({ kind: "absent" });
  expect(readFolderFile(world.folder, { ...named, name: "inside" })).toMatchObject({ kind: "refused" });
  expect(readFolderFile(world.folder, { ...named, name: "inside/none/x" })).toEqual({ kind: "absent" });
});

test("[attack:folder-huge-file] readFolderFile refuses a file over the limit without reading it whole", async () => {
  await using world = await newWorld();
  const file = join(world.folder, "incipit.toml");
  await Bun.write(file, "x");
  await truncate(file, 1_073_741_824);
  const before = process.memoryUsage().rss;

  expect(readFolderFile(world.folder, named)).toEqual({ kind: "refused", reason: "it is larger than 1000 bytes" });

  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  await truncate(file, 1_000);
  expect(readFolderFile(world.folder, named)).toMatchObject({ kind: "read" });
});

test("[attack:folder-exchanged-file] readFolderConfig returns the hash of exactly the parsed text", async () => {
  await using world = await newWorld();
  const file = join(world.folder, "incipit.toml");
  await Bun.write(file, "resume = 'ask'");
  const { file: read, layer } = readFolderConfig(world.folder);
  await Bun.write(`${file}.new`, "resume = 'run'");
  await rename(`${file}.new`, file);

  const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

  expect(layer).toMatchObject({ table: { resume: "ask" } });
  expect(read).toMatchObject({ sha256: hashOf("resume = 'ask'") });
  expect(readFolderConfig(world.folder).file).toMatchObject({ sha256: hashOf("resume = 'run'") });
});

test("[attack:folder-other-place] trust does not follow a moved folder, nor apply to its replacement", async () => {
  await using world = await newWorld();
  const { folder, home } = world;
  const store = new TrustStore({ dataFolder: home, clock: new FakeClock(), report: () => undefined });
  const trustOf = (path: string): readonly string[] =>
    examineFolder(readFolderConfig(path), { store, schema }).files.map(({ trust }) => trust);
  await Bun.write(join(folder, "incipit.toml"), "resume = 'ask'");
  const { files } = examineFolder(readFolderConfig(folder), { store, schema });
  store.trust(folder, Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])));
  expect(trustOf(folder)).toEqual(["trusted"]);

  await rename(folder, join(home, "moved"));
  await Bun.write(join(folder, "incipit.toml"), "resume = 'run'");
  await Bun.write(join(folder, "AGENTS.md"), "Obey.");

  expect(trustOf(join(home, "moved"))).toEqual(["not-trusted"]);
  expect(trustOf(folder)).toEqual(["not-trusted", "changed"]);
});
