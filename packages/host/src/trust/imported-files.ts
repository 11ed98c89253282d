import { decodeText, ruleImports } from "@incipit/schema";
import { dirname, isAbsolute, join, relative } from "node:path";
import { isInside } from "../paths/is-inside.ts";
import type { FolderFile } from "./folder-file.ts";

/** As deep as a prompt follows them. */
const maxImportDepth = 5;
/** More than a prompt follows: what it leaves out costs the others no trust. */
const maxImports = 1_000;

/** The files of which `@path` names others. */
const importing = /(?:^|\/)(?:CLAUDE|CLAUDE\.local|GEMINI)\.md$/;

/**
 * What the instruction files of a folder import, and what that imports, as far as it is in the folder; paths below it.
 * What is not there, leads out or is no text is left to whoever reads the files. Of several readings of an import, the
 * first at which there is a file counts, as for a prompt.
 * @param options.folder Absolute, links resolved.
 * @param options.read Called once for each path.
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

/** Path below the folder; `undefined`: it leads out of it, or is not relative. */
function placeOf(path: string, importing: string, folder: string): string | undefined {
  const place = join(dirname(importing), path);
  return isAbsolute(path) || path.startsWith("~") || !isInside(place, folder) ? undefined : relative(folder, place);
}
