import { sha256Hex } from "@incipit/common";
import { openTrustStore } from "@incipit/host/trust";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { Output } from "../output/output.ts";

const places: readonly string[] = [".agents", join(".claude", "agents")];

/** Trusts exactly the bytes that the user wrote at this terminal. */
export async function trustAgentFile(
  given: string,
  written: Uint8Array,
  { dataFolder, output }: { readonly dataFolder: string; readonly output: Pick<Output, "errLine"> },
): Promise<void> {
  const path = await realpath(given);
  const folder = folderOf(path);
  const sha256 = sha256Hex(written);
  openTrustStore(dataFolder, output.errLine).trustAlso(folder, { [relative(folder, path)]: sha256 });
}

function folderOf(path: string): string {
  const place = places.find((one) => dirname(path).endsWith(`/${one}`));
  return place === undefined ? dirname(path) : path.slice(0, -join("/", place, basename(path)).length) || "/";
}
