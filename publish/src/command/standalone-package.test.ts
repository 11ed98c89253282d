import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../run-program.ts";
import { createBareMachine } from "./testing/bare-machine.ts";
import { thisTarget } from "./testing/packed-command.ts";
import { packageOf } from "./targets.ts";
import { writeCommandPackage, writePlatformPackage, writeStandalonePackage } from "./write-command-packages.ts";

test("npm installs and uninstalls the standalone package offline, from two tarballs", async () => {
  await using temp = await createTempFolder();
  const folder = join(temp.path, "a folder");
  const written = join(folder, "written");
  const file = join(folder, "program");
  await mkdir(written, { recursive: true });
  await Bun.write(file, "#!/bin/sh\necho it runs\n");
  await chmod(file, 0o755);
  const target = thisTarget();
  await writeCommandPackage(written);
  const platform = await writePlatformPackage(target, { folder: written, file });
  const standalone = await writeStandalonePackage(target, written);
  const pack = async (name: string, folders: readonly string[]): Promise<readonly string[]> => {
    const cwd = join(folder, name);
    await mkdir(cwd);
    await runProgram(["npm", "pack", "--offline", ...folders], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: temp.path, npm_config_cache: join(temp.path, "cache") },
    });
    return [...new Bun.Glob("*.tgz").scanSync({ cwd, absolute: true })];
  };
  const alone = await pack("alone", [standalone]);
  const two = await pack("two", [join(written, "incipit"), platform]);
  for (const path of [temp.path, folder]) await chmod(path, 0o755);
  const asked: string[] = [];
  using refusing = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).pathname);
      return new Response("", { status: 503 }); // npm retries these for minutes.
    },
  });
  const registry = { npm_config_registry: `http://127.0.0.1:${refusing.port}/` };
  const machine = await createBareMachine(join(folder, "machine"), registry);
  const prefix = join(machine.path, "global");
  const command = join(prefix, "bin/incipit");
  const npm = (...args: readonly string[]) => machine.run(["npm", "--prefix", prefix, ...args]);

  const install = await npm("install", "-g", ...alone);
  const shown = await machine.run([command]);
  const remove = await npm("uninstall", "-g", "incipit");
  const hasGone = !existsSync(command);
  const installTwo = await npm("install", "-g", "--offline", ...two);
  const place = join(prefix, "lib/node_modules", packageOf(target));
  const isBeside = existsSync(place);
  const removeTwo = await npm("uninstall", "-g", "incipit", packageOf(target));

  expect({ install, asked }).toMatchObject({ install: { exitCode: 0 }, asked: [] });
  expect(shown).toMatchObject({ exitCode: 0, stdout: "it runs\n" });
  expect([remove.exitCode, hasGone]).toEqual([0, true]);
  expect([installTwo.exitCode, isBeside]).toEqual([0, true]);
  expect([removeTwo.exitCode, existsSync(command), existsSync(place)]).toEqual([0, false, false]);
}, 300_000);
