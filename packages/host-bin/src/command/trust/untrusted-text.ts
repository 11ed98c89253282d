import { decodeText } from "@incipit/schema";
import type { FileTrust } from "@incipit/service-contract";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isInside, readFolderFile, type TrustStore } from "@incipit/host/trust";

/** A text that a person is asked about, as it was read for the question. */
export interface UntrustedText {
  /** Absolute, links resolved. */
  readonly path: string;
  /** That of it which a yes trusts. */
  readonly folder: string;
  readonly state: FileTrust;
  readonly text: string;
  readonly sizeBytes: number;
  /** What a yes covers, by path below the folder: the hash of the very bytes that are shown. */
  readonly files: Readonly<Record<string, string>>;
}

/** More nobody reads before an answer. */
const maxBytes = 1_048_576;

interface ReadOptions {
  readonly store: TrustStore;
  /** The conversation's working folder; absolute, links resolved. */
  readonly cwd: string;
}

/** `undefined`: it is gone, or trusted as it is now; a reason: nobody can be asked about it. */
export function readUntrustedFile(
  path: string,
  { store, cwd }: ReadOptions,
): UntrustedText | { readonly reason: string } | undefined {
  // A link in the working folder has led to what lies outside of it.
  const folder = isInside(path, cwd) ? cwd : dirname(path);
  const name = isInside(path, cwd) ? relative(cwd, path) : basename(path);
  const file = readFolderFile(folder, { name, maxBytes });
  if (file.kind === "absent") return undefined;
  if (file.kind === "refused") return { reason: file.reason };
  if (file.path !== path) return { reason: "it has become a link to another file" };
  const { bytes, sha256 } = file;
  const state = store.judge(path, sha256);
  if (state === "trusted") return undefined;
  // As a prompt has it; bytes that are no text are shown as far as they can be.
  const text = decodeText(bytes)?.text ?? new TextDecoder().decode(bytes);
  return { path, folder, state, text, sizeBytes: bytes.length, files: { [name]: sha256 } };
}

/** The repository that a folder is in. `undefined`: there is none, or it is trusted by now. */
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
