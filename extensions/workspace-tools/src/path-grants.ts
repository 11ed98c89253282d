import { dirname, isAbsolute, relative, sep } from "node:path";
import type { FileSystem } from "@incipit/kernel";
import type { ToolScope } from "@incipit/service-contract";
import type { ToolCall } from "./define-tool.ts";
import { GlobPattern } from "./glob-pattern.ts";
import { fileTimeoutMs } from "./limits.ts";

interface PathInput {
  readonly path: string;
}

/** Which files a person has allowed a tool to touch: by where a path leads, from the working folder on. */
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
      // What a pattern would take for something else is not offered as one.
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

/** `undefined`: it leads out of the folder, or cannot be told. */
async function placeBelow(fs: FileSystem, path: string, { cwd, signal }: ToolCall): Promise<string | undefined> {
  const options = { cwd, signal, timeoutMs: fileTimeoutMs };
  const [place, folder] = await Promise.all([fs.locate(path, options), fs.locate(".", options)]);
  if (place.kind === "refused" || folder.kind === "refused") return undefined;
  const below = relative(folder.path, place.path);
  if (below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
  return below.replaceAll(sep, "/"); // As patterns write it, on every system.
}

/** A wildcard stands for no name that begins with a dot. */
function fitsPath(pattern: string, path: string): boolean {
  try {
    // One without a slash is a file of the folder itself, and not of each below it.
    return new GlobPattern(`./${pattern}`, { ignoreCase: false, withHidden: false }).verdictOn(path) === "fits";
  } catch {
    return false;
  }
}
