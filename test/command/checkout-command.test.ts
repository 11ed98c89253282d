import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { copyFile, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { incipit } from "../support/host-process.ts";

const root = join(import.meta.dir, "../..");
const script = join(root, "incipit");

test("./incipit runs the command from other folders and through links, with its arguments", async () => {
  await using folder = await createTempFolder();
  const cwd = join(folder.path, "else where");
  await mkdir(join(folder.path, "bin"));
  await Bun.write(join(cwd, "bunfig.toml"), "preload = ['./stranger.ts']");
  await Bun.write(join(cwd, ".env"), "INCIPIT_NOBODY=1");
  await symlink(script, join(folder.path, "bin/first"));
  await symlink("first", join(folder.path, "bin/second"));
  const options = { cwd, home: folder.path, command: [join(folder.path, "bin/second")] };

  const asked = await incipit(["two  words\nand more"], options);
  expect(asked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("You said: two  words\nand more") });
  const piped = await incipit(["-"], { ...options, input: "From a pipe" });
  expect(piped).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("You said: From a pipe") });
  expect(await incipit(["--nothing"], options)).toMatchObject({ exitCode: 2 });
}, 300_000);

test("./incipit installs a fresh checkout once, reporting on stderr", async () => {
  await using folder = await createTempFolder();
  const checkout = join(folder.path, "a clone");
  await Bun.write(join(checkout, "needed/package.json"), JSON.stringify({ name: "needed", version: "1.0.0" }));
  await Bun.write(
    join(checkout, "package.json"),
    JSON.stringify({ name: "clone", packageManager: "bun@1.4.5", dependencies: { needed: "file:./needed" } }),
  );
  await Bun.write(
    join(checkout, "packages/host-bin/src/main.ts"),
    `await import("needed/package.json"); console.log(process.cwd(), JSON.stringify(process.argv.slice(2)));`,
  );
  await copyFile(script, join(checkout, "incipit"));
  expect(Bun.spawnSync([process.execPath, "install"], { cwd: checkout }).exitCode).toBe(0);
  await rm(join(checkout, "node_modules"), { recursive: true });
  const options = { cwd: folder.path, home: folder.path, command: [join(checkout, "incipit")] };

  const first = await incipit(["a b"], options);
  const second = await incipit(["a b"], options);

  const stdout = `${folder.path} ["a b"]\n`;
  expect(first).toMatchObject({ exitCode: 0, stdout });
  expect(first.stderr).toStartWith(`incipit: installs what it needs into ${checkout}/node_modules, once\n`);
  expect(second).toEqual({ exitCode: 0, stdout, stderr: "" });
});

test("./incipit without Bun and npx reports its requirements", async () => {
  await using folder = await createTempFolder();
  for (const name of ["sh", "dirname", "readlink"]) await symlink(Bun.which(name) ?? "", join(folder.path, name));
  const options = { cwd: folder.path, home: folder.path, command: [script], env: { PATH: folder.path } };

  const { exitCode, stderr } = await incipit(["--version"], options);

  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr:
      "incipit: a checkout needs Bun, or Node with npx, which brings it; neither is on the path [BUN_MISSING]\n",
  });
});
