import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod, chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { syncFolderBeside, syncOpenFolder } from "./synced-file.ts";

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
    const program = `import { syncFolder } from ${JSON.stringify(join(import.meta.dir, "sync-folder.ts"))};
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
