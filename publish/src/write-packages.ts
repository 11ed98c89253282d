import { createTempFolder } from "@incipit/testkit";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { compilePackages } from "./compile-packages.ts";
import { missingModules } from "./missing-modules.ts";
import { publishedPackages, type PublishedPackage } from "./published-packages.ts";

const root = join(import.meta.dir, "../..");

const sourceMapSchema = z.looseObject({ sources: z.tuple([z.string()]) });

/**
 * `folder/NAME` is as in the tarball: `dist`, README, licence, and a `package.json` without workspace references.
 * @throws when an imported module is missing.
 */
export async function writePackages(folder: string): Promise<readonly PublishedPackage[]> {
  const packages = await publishedPackages(root);
  await using compiled = await createTempFolder();
  await compilePackages(packages, { root, outFolder: compiled.path });
  for (const one of packages) {
    const target = join(folder, one.name.slice(one.name.indexOf("/") + 1));
    const source = join(compiled.path, one.folder, "src");
    for (const path of await filesIn(source))
      await Bun.write(join(target, "dist", path), published(path, await Bun.file(join(source, path)).text()));
    const missing = await missingModules(join(target, "dist"));
    if (missing.length > 0) throw new Error(`Modules of "${one.name}" were not written: ${missing.join(", ")}`);
    for (const [name, path] of [
      ["LICENSE", "LICENSE"],
      ["README.md", `${one.folder}/README.md`],
    ] as const)
      await Bun.write(join(target, name), await Bun.file(join(root, path)).text());
    await Bun.write(join(target, "package.json"), `${JSON.stringify(one.manifest, null, 2)}\n`);
  }
  return packages;
}

/** Folder by folder: a single recursive listing has omitted files under load. */
async function filesIn(folder: string, below = ""): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(folder, path)));
    else files.push(path);
  }
  return files;
}

function published(path: string, text: string): string {
  // Declarations keep `.ts` in imports, which the compiler accepts and editors do not.
  if (path.endsWith(".d.ts")) return text.replaceAll(/((?:from|import\() ?"\.[^"]*)\.ts"/g, '$1.js"');
  if (!path.endsWith(".map")) return text;
  // The map contains the source; its name must not reveal the build folder.
  const map = sourceMapSchema.parse(JSON.parse(text));
  return JSON.stringify({ ...map, sources: [map.sources[0].slice(map.sources[0].lastIndexOf("/") + 1)] });
}
