import { parseManifest } from "@incipit/kernel";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** What is known of extensions from folders before their code is loaded. */
export interface AddedExtensions {
  readonly ids: readonly string[];
  /** Kinds of `[providers.NAME]` that they serve. */
  readonly kinds: readonly string[];
  /** A folder could not be read: there may be other ids and kinds. */
  readonly isIncomplete: boolean;
}

const packageSchema = z.object({ incipit: z.unknown() });
const installedSchema = z.object({ extensions: z.array(z.object({ id: z.string(), path: z.string() })) });

/**
 * Those of the folders that the configuration names, and those that were added to the data folder. Looked up when the
 * configuration has a name that nothing built in has: most starts read none of it.
 */
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
    // The list and the folder name the same one, unless somebody has changed the folder since.
    ids: [...new Set(found.flatMap(({ id, manifest }) => [id ?? [], manifest?.id ?? []].flat()))],
    kinds: found.flatMap(({ manifest }) => manifest?.kinds?.["providers"] ?? []),
    isIncomplete: found.some(({ manifest }) => manifest === undefined),
  };
}

/** Whoever judges a file without a host takes every name for one of an extension that may be there. */
export const anyExtensions: AddedExtensions = { ids: [], kinds: [], isIncomplete: true };

function manifestIn(path: string): ReturnType<typeof parseManifest> | undefined {
  try {
    return parseManifest(packageSchema.parse(JSON.parse(readFileSync(join(path, "package.json"), "utf8"))).incipit);
  } catch {
    return undefined; // The start lists it as failed, and says why.
  }
}

/** A damaged list is set aside by the start, and told. */
function installedIn(dataFolder: string): z.output<typeof installedSchema>["extensions"] {
  try {
    return installedSchema.parse(JSON.parse(readFileSync(join(dataFolder, "extensions.json"), "utf8"))).extensions;
  } catch {
    return [];
  }
}
