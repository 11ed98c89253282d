import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { undisguised } from "./editor-encoding.ts";

export interface NamedFile {
  /** As typed, without the `@` and quotes. */
  readonly name: string;
  readonly path: string;
}

const word = /(?<=^|[\s(['`{<])@(?:"(?<quoted>[^"\n]+)"|(?<bare>[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}]))/g;
const programs = /\.(?:cpp|cs|dart|ex|go|hpp|kt|lock|lua|php|py|r|rb|rs|scala|svelte|swift|vue|zig)$/i;
/** The backslash of an escaped `@` is not sent. */
const escapedAt = /(?<=^|[\s(['`{<])\\@/g;

export function withoutEscapes(text: string): string {
  return text.replaceAll(escapedAt, "@");
}

/**
 * Folders, and names that do not look like files, are text. @throws {Error} if a name that looks like a file does not
 * exist.
 */
export function namedFiles(text: string, cwd: string): readonly NamedFile[] {
  const found = new Map<string, NamedFile>();
  for (const { groups } of text.matchAll(word)) {
    const { quoted, bare } = groups ?? {};
    const name = undisguised(quoted ?? bare ?? "");
    const path = absolute(name, cwd);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) continue;
    if (stat !== undefined) found.set(path, { name, path });
    else if (quoted !== undefined || looksLikeFile(name)) throw new Error(missingText(name, path));
  }
  return [...found.values()];
}

export function absolute(name: string, cwd: string): string {
  return name === "~" || name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(cwd, name);
}

/** `@notes.md` and `@src/man.ts` do; `@alice`, `@types/node`, `@app.route` and resources of MCP servers do not. */
function looksLikeFile(name: string): boolean {
  if (/^[A-Za-z0-9_-]{1,32}:[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(name)) return false;
  if (/^(?:~|\.{1,2})?\//.test(name)) return true;
  if (!/\.[A-Za-z]\w{0,9}$/.test(name)) return false;
  return name.includes("/") || programs.test(name) || Bun.file(name).type !== "application/octet-stream";
}

function missingText(name: string, path: string): string {
  return `Nothing was sent: the file "${path}" of @${name} does not exist; write \\@${name} if you do not mean a file`;
}
