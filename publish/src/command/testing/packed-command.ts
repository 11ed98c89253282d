import { createTempFolder } from "@incipit/testkit";
import { Glob } from "bun";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildTarget } from "../build-target.ts";
import { runProgram } from "../../run-program.ts";
import { packageOf, targets, type Target } from "../targets.ts";
import { commandManifests, writeCommandPackage, writePlatformPackage } from "../write-command-packages.ts";
import type { RegistryPackage } from "./package-registry.ts";

/** The tests require the default C library. */
export function thisTarget(): Target {
  const found = targets.find(({ name }) => name === `${process.platform}-${process.arch}`);
  if (found === undefined) throw new Error(`The command is not built for ${process.platform}-${process.arch}`);
  return found;
}

export interface PackedCommand extends AsyncDisposable {
  /** Path of the package; readable for all users, with a space in it. */
  readonly path: string;
  readonly written: string;
  readonly tarballs: readonly [string, string];
  /** Other platforms have no tarball. */
  readonly packages: readonly RegistryPackage[];
}

/** `built`: an existing build; defaults to `CHECK_BUILT`. */
export async function packCommand(built = process.env["CHECK_BUILT"]): Promise<PackedCommand> {
  const temp = await createTempFolder();
  try {
    const path = join(temp.path, "a folder");
    const written = join(path, "written");
    const packed = join(path, "tarballs");
    await mkdir(packed, { recursive: true });
    const target = thisTarget();
    const file = built ?? join(temp.path, "built/incipit");
    if (built === undefined) await buildTarget(target, { outfile: file, order: join(temp.path, "order.txt") });
    await writeCommandPackage(written);
    await writePlatformPackage(target, { folder: written, file });
    const folders = [join(written, "incipit"), join(written, `cli-${target.name}`)];
    await runProgram(["npm", "pack", "--offline", ...folders], {
      cwd: packed,
      env: { PATH: process.env["PATH"], HOME: temp.path, npm_config_cache: join(temp.path, "cache") },
    });
    const names = [...new Glob("*.tgz").scanSync({ cwd: packed, absolute: true })];
    const own = names.find((name) => /\/incipit-\d/.test(name));
    const platform = names.find((name) => name.includes(`cli-${target.name}`));
    if (own === undefined || platform === undefined) throw new Error(`npm packed ${names.join(", ")}`);
    for (const folder of [temp.path, path]) await chmod(folder, 0o755);
    const packages = (await commandManifests()).map((manifest) => {
      const tarball =
        manifest.name === "incipit" ? own : manifest.name === packageOf(target) ? platform : undefined;
      return { manifest, ...(tarball === undefined ? {} : { tarball }) };
    });
    return {
      path,
      written,
      tarballs: [own, platform],
      packages,
      [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
    };
  } catch (error) {
    await temp[Symbol.asyncDispose]();
    throw error;
  }
}
