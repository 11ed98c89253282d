import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";

const manifestSchema = z.object({ name: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });

/** Returns the folders of all transitive dependencies, without duplicates. */
export async function dependencyFolders(
  folder: string,
  isOurs: (name: string) => boolean,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const open = [realpathSync(folder)];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    const { dependencies } = manifestSchema.parse(await Bun.file(join(from, "package.json")).json());
    for (const name of Object.keys(dependencies)) {
      if (isOurs(name)) continue;
      const place = installed(name, from);
      if (!found.has(place)) open.push(place);
      found.add(place);
    }
  }
  return [...found];
}

function installed(name: string, from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(place)) return realpathSync(place);
  }
  throw new Error(`"${name}" is not installed beside "${from}"; run bun install`);
}
