import { Glob } from "bun";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

export async function citedIds(...patterns: readonly RegExp[]): Promise<ReadonlySet<string>> {
  const cited = new Set<string>();
  for await (const path of new Glob("{apps,packages,extensions,test}/**/*.test.ts").scan({ cwd: root })) {
    if (path.includes("node_modules")) continue;
    const source = await Bun.file(join(root, path)).text();
    for (const pattern of patterns)
      for (const [, id] of source.matchAll(pattern)) if (id !== undefined) cited.add(id);
  }
  return cited;
}
