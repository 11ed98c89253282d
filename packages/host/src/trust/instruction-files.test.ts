import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { instructionFiles } from "./instruction-files.ts";

test("instructionFiles lists skills and commands of both places, without links outside the folder", async () => {
  await using temp = await createTempFolder();
  const home = await realpath(temp.path);
  const folder = join(home, "sent");
  await Bun.write(join(folder, ".agents/skills/pdf/SKILL.md"), "");
  await Bun.write(join(folder, ".agents/commands/review.md"), "");
  await Bun.write(join(folder, ".agents/commands/notes.txt"), "");
  await Bun.write(join(home, "mine/secret/SKILL.md"), "");
  await mkdir(join(folder, ".claude"));
  await symlink(join(home, "mine"), join(folder, ".claude/skills"));

  const { names, cut } = instructionFiles(folder);

  expect(names.filter((name) => /skills|commands/.test(name))).toEqual([
    ".agents/skills/pdf/SKILL.md",
    ".agents/commands/review.md",
  ]);
  expect(names).toContain("AGENTS.md");
  expect(cut).toEqual([]);
});

test("instructionFiles lists at most 2,000 files per folder and reports the cut", async () => {
  await using temp = await createTempFolder();
  for (let index = 0; index < 2_001; index += 1)
    mkdirSync(join(temp.path, `.claude/skills/s${index}`), { recursive: true });

  const { names, cut } = instructionFiles(await realpath(temp.path));

  expect(names.filter((name) => name.startsWith(".claude/skills/"))).toHaveLength(2_000);
  expect(cut).toMatchObject([{ name: ".claude/skills" }]);
});
