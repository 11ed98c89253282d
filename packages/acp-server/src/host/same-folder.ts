import { realpath } from "node:fs/promises";
import { resolve } from "node:path";

/** Resolves links of existing folders. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  if (resolve(one) === resolve(other)) return true;
  const places = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)));
  return places[0] !== undefined && places[0] === places[1];
}
