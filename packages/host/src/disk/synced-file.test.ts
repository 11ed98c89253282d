import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod, chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile, syncFolderBeside, syncOpenFolder } from "./synced-file.ts";
import { fstatSync, readdirSync, readFileSync, statSync } from "node:fs";

/** Root can read every folder. */
const other = 65_534;

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test("syncOpenFolder and syncFolderBeside ignore only the error codes of unsupported folder sync", async () => {
  const outcomeOf = async (code: string): Promise<readonly unknown[]> => {
    const fail = (): never => {
      throw systemError(code);
    };
    let outcome: unknown = "accepted";
    try {
      syncOpenFolder(0, fail);
    } catch (error) {
      outcome = error;
    }
    const beside = syncFolderBeside({ sync: async () => fail() });
    const outcomeBeside = await beside.then(
      () => "accepted",
      (error: unknown) => error,
    );
    return [outcome, outcomeBeside];
  };

  for (const code of ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"])
    expect(await outcomeOf(code)).toEqual(["accepted", "accepted"]);
  for (const code of ["EIO", "ENOSPC", "EBADF"]) expect(await outcomeOf(code)).toMatchObject([{ code }, { code }]);
});

test.skipIf(process.platform === "win32")(
  "syncFolder accepts a write-only folder and rejects a missing one",
  async () => {
    await using temp = await createTempFolder();
    await chmod(temp.path, 0o711);
    const folder = join(temp.path, "folder");
    await mkdir(folder);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(folder, other, other);
    await chmod(folder, 0o300);
    const program = `import { syncFolder } from ${JSON.stringify(join(import.meta.dir, "synced-file.ts"))};
import { readdirSync, writeFileSync } from "node:fs";
const codeOf = (act) => { try { act(); return "done"; } catch ({ code }) { return code; } };
if (${isRoot}) { process.setgid(${other}); process.setuid(${other}); }
writeFileSync(${JSON.stringify(join(folder, "made"))}, "");
const folder = ${JSON.stringify(folder)};
console.log([() => readdirSync(folder), () => syncFolder(folder), () => syncFolder(folder + "/gone")].map(codeOf).join(" "));`;

    await using child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });

    expect(await child.stdout.text()).toBe("EACCES done ENOENT\n");
    await chmod(folder, 0o700);
  },
);

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
