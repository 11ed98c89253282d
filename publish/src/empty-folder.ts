import { createTempFolder } from "@incipit/testkit";
import { Glob } from "bun";
import { realpathSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { dependencyFolders } from "./dependency-folders.ts";
import { missingModules } from "./missing-modules.ts";
import type { PublishedPackage } from "./published-packages.ts";
import { runProgram } from "./run-program.ts";
import { writePackages } from "./write-packages.ts";

const root = join(import.meta.dir, "../..");

/** Outside of the repository. */
export interface EmptyFolder extends AsyncDisposable {
  readonly path: string;
  readonly packages: readonly PublishedPackage[];
}

/** Without workspace or network: third-party dependencies are packed from `node_modules`. */
export async function createEmptyFolder(): Promise<EmptyFolder> {
  const temp = await createTempFolder();
  try {
    const written = join(temp.path, "written");
    const tarballs = join(temp.path, "tarballs");
    const path = join(temp.path, "empty");
    const packages = await writePackages(written);
    const names = new Set(packages.map(({ name }) => name));
    const theirs = await Promise.all(
      packages.map(({ folder }) => dependencyFolders(join(root, folder), (name) => names.has(name))),
    );
    const bunTypes = realpathSync(join(root, "node_modules/@types/bun"));
    theirs.push([bunTypes, ...(await dependencyFolders(bunTypes, () => false))]);
    await mkdir(tarballs);
    await Bun.write(join(path, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));

    // Ignores the developer's settings; without a registry, a missing package makes npm fail.
    const settings = ["--ignore-scripts", "--offline", "--registry=http://127.0.0.1:9", "--no-audit", "--no-fund"];
    const npm = (args: readonly string[], cwd: string): Promise<string> =>
      runProgram(["npm", ...args, ...settings], {
        cwd,
        env: { PATH: process.env["PATH"], HOME: temp.path, npm_config_cache: join(temp.path, "cache") },
      });
    const ours = [...new Glob("*/").scanSync({ cwd: written, onlyFiles: false })].map((name) =>
      join(written, name),
    );
    await npm(["pack", ...ours], tarballs);
    for (const [index, folder] of [...new Set(theirs.flat())].entries())
      await packInstalled(folder, join(tarballs, `theirs-${index}.tgz`));
    const packed = [...new Glob("*.tgz").scanSync({ cwd: tarballs, absolute: true })];
    await npm(["install", ...packed], path);
    for (const { name } of packages) {
      const missing = await missingModules(join(path, "node_modules", name, "dist"));
      if (missing.length > 0) throw new Error(`npm did not install all of "${name}": ${missing.join(", ")}`);
    }
    return { path, packages, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
  } catch (error) {
    await temp[Symbol.asyncDispose]();
    throw error;
  }
}

/** Not imported by our modules; they would slow npm down. */
const unused = ["package/docs", "package/cjs", "package/src", "*.map"];

/** Uncompressed, since it is read once. */
async function packInstalled(folder: string, tarball: string): Promise<void> {
  await using temp = await createTempFolder();
  await symlink(folder, join(temp.path, "package"));
  const without = unused.map((pattern) => `--exclude=${pattern}`);
  await runProgram(["tar", "-chf", tarball, ...without, "package"], { cwd: temp.path });
}
