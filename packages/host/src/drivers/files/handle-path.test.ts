import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathOfHandle } from "./granted-paths.ts";

test('pathOfHandle returns the path of an open file, even if removed or named "(deleted)"', async () => {
  await using folder = await createTempFolder();

  for (const name of ["kept", "kept (deleted)"]) {
    const path = join(folder.path, name);
    await Bun.write(path, "text");
    await using handle = await open(path);
    expect(await pathOfHandle(handle, "elsewhere")).toBe(path);
    await rm(path);
    expect(await pathOfHandle(handle, "elsewhere")).toBe(path);
  }
});
