import { relativeWithin } from "@incipit/common";
import { dirname, sep } from "node:path";
import type { FileSystem } from "@incipit/kernel";
import type { ToolScope } from "@incipit/service-contract";
import type { ToolCall } from "./define-tool.ts";
import { GlobPattern } from "./glob-pattern.ts";
import { fileTimeoutMs } from "./limits.ts";

interface PathInput {
  readonly path: string;
}

export function pathGrants(fs: FileSystem): {
  readonly by: (
    input: PathInput,
    call: ToolCall & { readonly patterns: readonly string[] },
  ) => Promise<readonly string[]>;
  readonly scopes: (input: PathInput, call: ToolCall) => Promise<readonly ToolScope[]>;
} {
  return {
    async by({ path }, { patterns, ...call }) {
      const place = await placeBelow(fs, path, call);
      const found = place === undefined ? undefined : patterns.find((pattern) => fitsPath(pattern, place));
      return found === undefined ? [] : [found];
    },
    async scopes({ path }, call) {
      const place = await placeBelow(fs, path, call);
      // A path that would be read as another pattern is not offered.
      if (place === undefined || !fitsPath(place, place)) return [];
      const file = { id: "file", label: "this file", covers: `the file "${place}"`, patterns: [place] };
      const folder = dirname(place);
      const below = `${folder}/**`;
      if (folder === "." || !fitsPath(below, place)) return [file];
      const covers = `every file below "${folder}"`;
      return [file, { id: "folder", label: "files of this folder", covers, patterns: [below] }];
    },
  };
}

interface FoundPlace extends PathInput {
  readonly place: string;
}

/**
 * Links may have changed since the patterns were checked.
 * @throws {Error} when no pattern allows the file.
 */
export async function assertGranted(fs: FileSystem, { path, place }: FoundPlace, call: ToolCall): Promise<void> {
  const { allowedPatterns } = call;
  if (allowedPatterns === undefined) return;
  const folder = await fs.locate(".", { cwd: call.cwd, signal: call.signal, timeoutMs: fileTimeoutMs });
  const below = folder.kind === "refused" ? undefined : pathBelow(folder.path, place);
  if (below !== undefined && allowedPatterns.some((pattern) => fitsPath(pattern, below))) return;
  const patterns = allowedPatterns.map((pattern) => `"${pattern}"`).join(", ");
  throw new Error(
    `Cannot use "${path}" unasked: it leads to "${place}" by now, and only ${patterns} is allowed; call again, so that the user is asked`,
  );
}

async function placeBelow(fs: FileSystem, path: string, { cwd, signal }: ToolCall): Promise<string | undefined> {
  const options = { cwd, signal, timeoutMs: fileTimeoutMs };
  const [place, folder] = await Promise.all([fs.locate(path, options), fs.locate(".", options)]);
  return place.kind === "refused" || folder.kind === "refused" ? undefined : pathBelow(folder.path, place.path);
}

function pathBelow(folder: string, place: string): string | undefined {
  return relativeWithin(folder, place)?.replaceAll(sep, "/") || undefined;
}

/** Wildcards do not match names that begin with a dot. */
function fitsPath(pattern: string, path: string): boolean {
  try {
    // A pattern without a slash matches only in the folder itself.
    return new GlobPattern(`./${pattern}`, { ignoreCase: false, withHidden: false }).verdictOn(path) === "fits";
  } catch {
    return false;
  }
}
