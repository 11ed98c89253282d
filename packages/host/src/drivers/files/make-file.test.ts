import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../failures/error-code.ts";
import { makeFile } from "./write-file.ts";

/** A test cannot mount a file system without hard links. */
function refusing(code: string): Parameters<typeof makeFile>[1] {
  return () => Promise.reject(Object.assign(new Error(`${code}: no link`), { code }));
}

for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP"])
  test(`makeFile creates a file without replacing one when linking fails with ${code}`, async () => {
    await using folder = await createTempFolder();
    const [temporary, target] = [join(folder.path, "temporary"), join(folder.path, "target")];
    const bytes = new TextEncoder().encode("new");
    const make = (): Promise<unknown> => makeFile({ temporary, target, bytes }, refusing(code));

    await make();
    await Bun.write(target, "by hand");
    const refused = await make().catch(errorCode);

    expect(refused).toBe("EEXIST");
    expect(await Bun.file(target).text()).toBe("by hand");
  });

test.skipIf(process.platform === "win32")(
  "makeFile applies the whole requested mode without hard links, whatever the umask",
  async () => {
    await using folder = await createTempFolder();
    const [temporary, target] = [join(folder.path, "temporary"), join(folder.path, "target")];
    for (const mode of [0o777, 0o600, 0o400]) {
      await makeFile({ temporary, target, bytes: new TextEncoder().encode("new"), mode }, refusing("EPERM"));

      expect((await stat(target)).mode & 0o7777).toBe(mode);
      expect(await Bun.file(target).text()).toBe("new");
      await rm(target);
    }
  },
);

test("makeFile creates no file when linking fails for another reason", async () => {
  await using folder = await createTempFolder();
  const [temporary, target] = [join(folder.path, "temporary"), join(folder.path, "target")];
  const refused = await makeFile({ temporary, target, bytes: new Uint8Array() }, refusing("EIO")).catch(errorCode);

  expect(refused).toBe("EIO");
  expect(await Bun.file(target).exists()).toBe(false);
});
