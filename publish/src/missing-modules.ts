import { Glob } from "bun";
import { dirname, join } from "node:path";

/** Returns the relative imports whose files do not exist. */
export async function missingModules(folder: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const path of new Glob("**/*.js").scanSync({ cwd: folder, absolute: true }))
    for (const [, name = ""] of (await Bun.file(path).text()).matchAll(/(?:from |import\()"(\.[^"]*\.js)"/g)) {
      const imported = join(dirname(path), name);
      if (!(await Bun.file(imported).exists())) missing.push(imported);
    }
  return missing;
}
