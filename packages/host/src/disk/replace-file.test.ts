import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { fstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./synced-file.ts";

test("replaceFile syncs the content before the rename and the folder after it", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "tokens.json");
  replaceFile(file, "old", { isFlushed: true });
  const synced: string[] = [];
  const sync = (handle: number): void => {
    const kind = fstatSync(handle).isDirectory() ? "the folder" : readFileSync(`${file}.new`, "utf8");
    synced.push(`${kind}, beside ${readFileSync(file, "utf8")}`);
  };

  replaceFile(file, "new", { isFlushed: true, sync });
  replaceFile(file, "newest", { isFlushed: false, sync });

  // The unflushed file is complete whichever reaches the disk first, name or folder.
  expect(synced).toEqual(["new, beside old", "the folder, beside new", "newest, beside new"]);
  expect(readFileSync(file, "utf8")).toBe("newest");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(["tokens.json"]);
});

test("replaceFile leaves the old file unchanged if it fails before the rename", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "tokens.json");
  replaceFile(file, "old", { isFlushed: true });
  const sync = (): never => {
    throw new Error("The disk is broken");
  };

  expect(() => replaceFile(file, "new", { isFlushed: true, sync })).toThrow("The disk is broken");
  expect(readFileSync(file, "utf8")).toBe("old");
});
