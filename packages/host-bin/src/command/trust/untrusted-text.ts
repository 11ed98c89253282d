import { decodeText } from "@incipit/schema";
import type { FileTrust } from "@incipit/service-contract";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isInside } from "@incipit/common/system";
import { readFolderFile, type TrustStore } from "@incipit/host/trust";

export interface UntrustedText {
  readonly path: string;
  readonly folder: string;
  readonly state: FileTrust;
  readonly text: string;
  readonly sizeBytes: number;
  /** Hashes of the shown bytes, by path relative to the folder; covered by a yes. */
  readonly files: Readonly<Record<string, string>>;
}

/** A user can review as much. */
const maxBytes = 1_048_576;

interface ReadOptions {
  readonly store: TrustStore;
  readonly cwd: string;
}

/** `undefined` for a missing or already trusted file, or the reason why no question is possible. */
export function readUntrustedFile(
  path: string,
  { store, cwd }: ReadOptions,
): UntrustedText | { readonly reason: string } | undefined {
  // A link may lead out of the working folder.
  const folder = isInside(path, cwd) ? cwd : dirname(path);
  const name = isInside(path, cwd) ? relative(cwd, path) : basename(path);
  const file = readFolderFile(folder, { name, maxBytes });
  if (file.kind === "absent") return undefined;
  if (file.kind === "refused") return { reason: file.reason };
  if (file.path !== path) return { reason: "it has become a link to another file" };
  const { bytes, sha256 } = file;
  const state = store.judge(path, sha256);
  if (state === "trusted") return undefined;
  // Decoded as for a prompt; invalid bytes are shown as far as possible.
  const text = decodeText(bytes)?.text ?? new TextDecoder().decode(bytes);
  return { path, folder, state, text, sizeBytes: bytes.length, files: { [name]: sha256 } };
}

export function untrustedRepository(
  text: string,
  { store, cwd }: ReadOptions,
): UntrustedText | { readonly reason: string } | undefined {
  const path = repositoryAround(cwd);
  if (path === undefined) return { reason: "its repository is not found" };
  if (store.folder(path) !== undefined) return undefined;
  return { path, folder: path, state: "not-trusted", text, sizeBytes: Buffer.byteLength(text), files: {} };
}

export function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : repositoryAround(dirname(folder));
}
