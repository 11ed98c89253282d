import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { maxImageBytes } from "./attachments.ts";

/** What every vendor that takes images takes, by the ends of their names. */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
]);
const maxPath = 4_096;

export interface FoundImage {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/**
 * The image that was dropped on the terminal, which pastes its path then: bare, in quotation marks, with backslashes, or as a URL.
 * `undefined`: the text is something else.
 */
export function droppedImage(pasted: string): FoundImage | undefined {
  const text = pasted.trim();
  if (text === "" || text.length > maxPath || text.includes("\n")) return undefined;
  const path = pathOf(text);
  const mediaType = mediaTypes.get(/\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
  if (mediaType === undefined || !isAbsolute(path)) return undefined;
  try {
    const { size } = statSync(path);
    if (!statSync(path).isFile() || size === 0 || size > maxImageBytes) return undefined;
    return { name: basename(path), mediaType, bytes: readFileSync(path) };
  } catch {
    return undefined; // It is a text that looks like a path.
  }
}

function pathOf(text: string): string {
  if (text.startsWith("file://")) {
    try {
      return fileURLToPath(text);
    } catch {
      return text;
    }
  }
  const quoted = /^(['"])(?<inner>.*)\1$/.exec(text)?.groups?.["inner"];
  const path = quoted ?? text.replaceAll(/\\(.)/g, "$1");
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}
