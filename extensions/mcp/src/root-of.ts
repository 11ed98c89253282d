import { basename } from "node:path";
import { pathToFileURL } from "node:url";

export interface Root {
  readonly uri: string;
  readonly name: string;
}

export function rootOf(folder: string): Root {
  return { uri: pathToFileURL(folder).href, name: basename(folder) || folder };
}
