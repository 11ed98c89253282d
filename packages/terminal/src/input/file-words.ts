import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { undisguised } from "./disguise.ts";

/** A file that somebody names in what they write. */
export interface NamedFile {
  /** As it is written. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** `@NAME` or `@"NAME"` at the beginning of a word, or behind what opens a quotation. */
const word = /(?<=^|[\s(['`{<])@(?:"(?<quoted>[^"\n]+)"|(?<bare>[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}]))/g;
/** Ends of names that have no media type. */
const programs = /\.(?:cpp|cs|dart|ex|go|hpp|kt|lock|lua|php|py|r|rb|rs|scala|svelte|swift|vue|zig)$/i;
/** Behind a backslash it is no name; the backslash is not sent. */
const escapedAt = /(?<=^|[\s(['`{<])\\@/g;

/** The text without the backslashes in front of an `@` that names nothing. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(escapedAt, "@");
}

/**
 * The files that a text names, each once. What names a folder, or nothing that looks like a file, is text.
 * @param text What a person has written themselves, as it is in the editor (`disguise.ts`).
 * @throws {Error} when one that looks like a file is not there.
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

/** Where a written name leads. */
export function absolute(name: string, cwd: string): string {
  return name === "~" || name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(cwd, name);
}

/** `@alice`, `@types/node` and `@app.route` name no file, nor does a resource of a server; `@notes.md` and `@src/man.ts` do. */
function looksLikeFile(name: string): boolean {
  if (/^[A-Za-z0-9_-]{1,32}:[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(name)) return false;
  if (/^(?:~|\.{1,2})?\//.test(name)) return true;
  if (!/\.[A-Za-z]\w{0,9}$/.test(name)) return false;
  return name.includes("/") || programs.test(name) || Bun.file(name).type !== "application/octet-stream";
}

function missingText(name: string, path: string): string {
  return `Nothing was sent: there is no file "${path}", which @${name} names; write \\@${name} where you mean none`;
}
