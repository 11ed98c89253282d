import { createTempFolder, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { examineFolder } from "../../trust/examine-folder.ts";
import { readFolderConfig } from "../../trust/folder-config.ts";
import { TrustStore } from "../../trust/trust-store.ts";
import { folderWords } from "./folder-text.ts";

async function wordsOf(toml: string): Promise<readonly string[]> {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "incipit.toml"), toml);
  const store = new TrustStore({ dataFolder: folder.path, clock: new FakeClock(), report: () => undefined });
  return folderWords(examineFolder(readFolderConfig(folder.path), { store })).split("\n");
}

test("[attack:folder-buried-wish] folderWords says beside the question how much there is to read, and begins with what weighs most", async () => {
  const program = `[mcp.servers.x]\ncommand = "sh"\n`;
  const small = Array.from({ length: 500 }, (_, index) => `[profiles.p${index}]\n`).join("");

  const buried = await wordsOf(small + program);

  expect(buried.slice(0, 5).join()).toContain('starts the program "sh"');
  expect(buried.at(-2)).toStartWith("These are 501 things, the weightiest first");
  // The control: what fits on a screen needs no such word.
  expect((await wordsOf(program)).at(-2)).toContain('starts the program "sh"');
});

test("folderWords says that whoever trusts a repository's folder vouches for what git says of it", async () => {
  await using folder = await createTempFolder();
  const store = new TrustStore({ dataFolder: folder.path, clock: new FakeClock(), report: () => undefined });
  const words = (): string => folderWords(examineFolder(readFolderConfig(folder.path), { store }));
  expect(words()).not.toContain("git");

  await mkdir(join(folder.path, ".git"));

  expect(words()).toContain("  what git says of it  not trusted\n");
  expect(words()).toContain("  - vouches for what git says of it");
  store.trust(await realpath(folder.path), {});
  expect(words()).toContain("  what git says of it  trusted\n");
});
