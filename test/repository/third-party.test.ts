import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";

const root = join(import.meta.dir, "../..");

test("THIRD-PARTY-NOTICES.md lists the built file's packages, with approved licences and without install scripts", async () => {
  const check = Bun.spawn([process.execPath, "packages/host-bin/scripts/third-party.ts", "--check"], {
    cwd: root,
    stdout: "ignore",
    stderr: "pipe",
  });

  expect(await new Response(check.stderr).text()).toBe("");
  expect(await check.exited).toBe(0);
});

const lockSchema = z.object({ packages: z.record(z.string(), z.tuple([z.string()]).rest(z.unknown())) });

test("bun.lock has a registry source and a hash for every third-party package", async () => {
  const { packages } = lockSchema.parse(Bun.JSON5.parse(await Bun.file(join(root, "bun.lock")).text()));

  const unproven = Object.values(packages).filter(([id, registry, , hash]) => {
    if (id.includes("@workspace:")) return false;
    return registry !== "" || typeof hash !== "string" || !hash.startsWith("sha512-");
  });

  expect(unproven).toEqual([]);
});
