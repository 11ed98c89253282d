import type { FileSystem } from "@incipit/kernel";
import type { ToolCall } from "./define-tool.ts";
import { fileTimeoutMs } from "./limits.ts";
import { protection } from "./protected-file.ts";
import { explain } from "./workspace-file.ts";

/** Why a person is asked before a path is written, whatever was allowed; `undefined`: nothing speaks against it. */
export async function reasonToAsk(
  fs: FileSystem,
  path: string,
  { cwd, signal }: ToolCall,
): Promise<string | undefined> {
  const options = { cwd, signal, timeoutMs: fileTimeoutMs };
  const [place, folder] = await Promise.all([fs.locate(path, options), fs.locate(".", options)]);
  if (place.kind === "refused") return undefined; // It will not be written.
  const says = protection(place.path, folder.kind === "located" ? folder.path : cwd);
  return says === undefined ? undefined : `It writes "${place.path}": ${says}`;
}

/**
 * Where a path is written, links followed; it is not to lead elsewhere meanwhile.
 * @throws {Error} for a place that a person has to allow, and that nobody was asked about.
 */
export async function writePlace(fs: FileSystem, path: string, call: ToolCall): Promise<string> {
  const { cwd, signal } = call;
  const place = await fs.locate(path, { cwd, signal, timeoutMs: fileTimeoutMs });
  if (place.kind === "refused") throw new Error(`Cannot write "${path}": ${explain(place)}`);
  const why = await reasonToAsk(fs, path, call);
  // What was allowed is this place, not where a link leads by now.
  if (why !== undefined && why !== call.allowedAlthough) throw new Error(`Cannot write "${path}" unasked. ${why}`);
  return place.path;
}
