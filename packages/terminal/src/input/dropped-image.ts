import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { maxImageBytes } from "./attachments.ts";

/** Types that all providers accept. */
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

/** A terminal pastes the path of a dropped image: bare, quoted, with backslashes, or as a URL. */
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
    return undefined;
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
