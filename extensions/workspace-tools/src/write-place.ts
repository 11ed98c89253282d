import { relativeWithin } from "@incipit/common";
import type { FileSystem } from "@incipit/kernel";
import { resolve } from "node:path";
import type { ToolCall } from "./define-tool.ts";
import { fileTimeoutMs } from "./limits.ts";
import { assertGranted } from "./path-grants.ts";
import { protection } from "./protected-file.ts";
import { explain } from "./workspace-file.ts";

export async function reasonToAsk(fs: FileSystem, path: string, call: ToolCall): Promise<string | undefined> {
  const place = await fs.locate(path, { cwd: call.cwd, signal: call.signal, timeoutMs: fileTimeoutMs });
  return place.kind === "refused" ? undefined : reasonToAskFor(fs, place.path, call);
}

/** Links may change between lookups. */
async function reasonToAskFor(fs: FileSystem, place: string, call: ToolCall): Promise<string | undefined> {
  const says = protection(place, await realFolder(fs, call));
  return says === undefined ? undefined : `It writes "${place}": ${says}`;
}

/**
 * Follows links once.
 * @throws {Error} for a place without a required approval, or outside the call's patterns.
 */
export async function writePlace(fs: FileSystem, path: string, call: ToolCall): Promise<string> {
  const { cwd, signal } = call;
  const place = await fs.locate(path, { cwd, signal, timeoutMs: fileTimeoutMs });
  if (place.kind === "refused") throw new Error(`Cannot write "${path}": ${explain(place)}`);
  const why = await reasonToAskFor(fs, place.path, call);
  // The approval was for this place, not for where a link leads now.
  if (why !== undefined && why !== call.allowedAlthough) throw new Error(`Cannot write "${path}" unasked. ${why}`);
  await assertGranted(fs, { path, place: place.path }, call);
  return place.path;
}

export async function formatPath(fs: FileSystem, path: string, call: ToolCall): Promise<string> {
  const place = await fs.locate(path, { cwd: call.cwd, signal: call.signal, timeoutMs: fileTimeoutMs });
  return place.kind === "refused" ? path : formatPlace(fs, { path, place: place.path }, call);
}

export async function formatPlace(
  fs: FileSystem,
  { path, place }: { readonly path: string; readonly place: string },
  call: ToolCall,
): Promise<string> {
  const folder = await realFolder(fs, call);
  if ([folder, call.cwd].some((from) => resolve(from, path) === place)) return path;
  const below = relativeWithin(folder, place);
  return `${path} (leads to ${below === undefined || below === "" ? place : below})`;
}

async function realFolder(fs: FileSystem, { cwd, signal }: ToolCall): Promise<string> {
  const folder = await fs.locate(".", { cwd, signal, timeoutMs: fileTimeoutMs });
  return folder.kind === "located" ? folder.path : cwd;
}
