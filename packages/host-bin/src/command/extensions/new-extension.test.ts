import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { answeringHost } from "../testing/answering-host.ts";
import { runCommand, type Ran } from "../testing/run-command.ts";

async function run(...words: readonly string[]): Promise<Ran> {
  return runCommand(["extensions", "new", ...words], answeringHost());
}

test("extensions new derives the id from the folder and avoids existing variable types", async () => {
  await using folder = await createTempFolder();
  await mkdir(join(folder.path, "file"));

  for (const [name, id, type] of [
    ["weather", "my.weather", "weather"],
    ["7 Über Wetter!", "my.uber-wetter", "uber_wetter"],
    ["file", "my.file", "my_file"],
  ] as const) {
    const path = join(folder.path, name);
    const { exitCode, stdout } = await run(path);
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith(`Wrote the extension "${id}" to ${path}: the variable [${type}:greeting]\n`);
    expect(await Bun.file(join(path, "package.json")).json()).toMatchObject({ incipit: { id } });
    expect((await readdir(join(path, "src"))).toSorted()).toEqual(["index.test.ts", "index.ts"]);
  }
  const other = join(folder.path, "other");
  expect(JSON.parse((await run(other, "--json")).stdout)).toEqual({ id: "my.other", path: other });
});

test("extensions new never overwrites, and lists its requirements", async () => {
  await using folder = await createTempFolder();
  const full = join(folder.path, "full");
  const file = join(folder.path, "file");
  await Bun.write(join(full, "mine"), "kept");
  await Bun.write(file, "kept");

  for (const [words, said] of [
    [[], "write: incipit extensions new DIR"],
    [[join(folder.path, "a"), "b"], '"extensions new" takes no "b"'],
    [[full], "exists, and is not an empty folder"],
    [[file], "exists, and is not an empty folder"],
    [[join(folder.path, "123")], '"123" gives no name'],
  ] as const)
    expect(await run(...words).catch((error: unknown) => error)).toMatchObject({
      name: "UsageError",
      message: expect.stringContaining(said),
    });
  expect((await readdir(folder.path)).toSorted()).toEqual(["file", "full"]);
  expect(await readdir(full)).toEqual(["mine"]);
});
