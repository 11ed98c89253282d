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
 * Writes each package that npm gets to a folder of its own, `folder/NAME`, as its tarball has it: `dist`, README, licence,
 * and a `package.json` without the workspace in it. The sources stay as they are.
 * @throws when a module that is imported was not written.
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

/** All of them, by their paths below the folder. Folder by folder: a listing of all at once has left files out under load. */
async function filesIn(folder: string, below = ""): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(folder, path)));
    else files.push(path);
  }
  return files;
}

/** What the compiler leaves as it was in the repository. */
function published(path: string, text: string): string {
  // Declarations keep the `.ts` of their imports: the compiler reads that, editors do not.
  if (path.endsWith(".d.ts")) return text.replaceAll(/((?:from|import\() ?"\.[^"]*)\.ts"/g, '$1.js"');
  if (!path.endsWith(".map")) return text;
  // The source is in the map, and needs a name alone: none that tells where it was compiled.
  const map = sourceMapSchema.parse(JSON.parse(text));
  return JSON.stringify({ ...map, sources: [map.sources[0].slice(map.sources[0].lastIndexOf("/") + 1)] });
}
