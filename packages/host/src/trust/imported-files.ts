import { isInside } from "@incipit/common/system";
import { decodeText, ruleImports } from "@incipit/schema";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { FolderFile } from "./folder-file.ts";

/** Depth to which prompts follow imports. */
const maxImportDepth = 5;
/** More than a prompt follows; files beyond it do not affect the trust of others. */
const maxImports = 1_000;

/** In these files `@path` imports another. */
const importing = /(?:^|\/)(?:CLAUDE|CLAUDE\.local|GEMINI)\.md$/;

/**
 * Leaves missing, outside and binary files to the reader. If an import is ambiguous, the first existing file counts, as
 * for a prompt. `read` is called once for each path.
 */
export function importedFiles(
  names: readonly string[],
  { folder, read }: { readonly folder: string; readonly read: (name: string) => FolderFile },
): readonly string[] {
  const found = new Set<string>();
  let left = maxImports;
  let level = names.filter((name) => importing.test(name));
  for (let depth = 0; depth < maxImportDepth && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const name of level) {
      const file = read(name);
      if (file.kind !== "read") continue;
      for (const written of ruleImports(decodeText(file.bytes)?.text.replaceAll("\r\n", "\n") ?? "")) {
        if (left-- <= 0) return [...found];
        const places = [written, ...written.others].flatMap(({ path }) => placeOf(path, file.path, folder) ?? []);
        const below = places.find((place) => read(place).kind === "read") ?? places[0];
        if (below === undefined || found.has(below)) continue;
        found.add(below);
        next.push(below);
      }
    }
    level = next;
  }
  return [...found];
}

function placeOf(path: string, importing: string, folder: string): string | undefined {
  const place = join(dirname(importing), path);
  return isAbsolute(path) || path.startsWith("~") || !isInside(place, folder) ? undefined : relative(folder, place);
}
