import { parseManifest } from "@incipit/kernel";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

export interface AddedExtensions {
  readonly ids: readonly string[];
  readonly kinds: readonly string[];
  /** A folder could not be read, so more ids and kinds may exist. */
  readonly isIncomplete: boolean;
}

const packageSchema = z.object({ incipit: z.unknown() });
const installedSchema = z.object({ extensions: z.array(z.object({ id: z.string(), path: z.string() })) });

/** Called only for a name that no built-in extension has, so most starts skip the reads. */
export function addedExtensions({
  paths,
  dataFolder,
}: {
  readonly paths: readonly string[];
  readonly dataFolder?: string | undefined;
}): AddedExtensions {
  const installed = dataFolder === undefined ? [] : installedIn(dataFolder);
  const folders = new Map<string, string | undefined>([
    ...paths.map((path) => [path, undefined] as const),
    ...installed.map(({ path, id }) => [path, id] as const),
  ]);
  const found = [...folders].map(([path, id]) => ({ id, manifest: manifestIn(path) }));
  return {
    // The list and the manifest have the same id unless the folder changed since.
    ids: [...new Set(found.flatMap(({ id, manifest }) => [id ?? [], manifest?.id ?? []].flat()))],
    kinds: found.flatMap(({ manifest }) => manifest?.kinds?.["providers"] ?? []),
    isIncomplete: found.some(({ manifest }) => manifest === undefined),
  };
}

/** For checking a file without a host. */
export const allowAnyExtension: AddedExtensions = { ids: [], kinds: [], isIncomplete: true };

function manifestIn(path: string): ReturnType<typeof parseManifest> | undefined {
  try {
    return parseManifest(packageSchema.parse(JSON.parse(readFileSync(join(path, "package.json"), "utf8"))).incipit);
  } catch {
    return undefined;
  }
}

/** Reads the list of added extensions; empty for a damaged list, which the start moves aside and reports. */
function installedIn(dataFolder: string): z.output<typeof installedSchema>["extensions"] {
  try {
    return installedSchema.parse(JSON.parse(readFileSync(join(dataFolder, "extensions.json"), "utf8"))).extensions;
  } catch {
    return [];
  }
}
