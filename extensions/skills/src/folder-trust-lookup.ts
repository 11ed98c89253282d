import { sha256Hex } from "@incipit/common";
import type { FolderTrust } from "@incipit/service-contract";
import type { ServiceReference } from "@incipit/kernel";
import { dirname } from "node:path";

export class FolderTrustLookup {
  readonly #trust: FolderTrust | undefined;
  readonly #folders = new Map<string, Promise<boolean>>();

  /** Use one instance per lookup: later decisions apply to the next one. */
  constructor(trust: ServiceReference<FolderTrust>) {
    this.#trust = trust.current;
  }

  isKnown(folder: string): Promise<boolean> {
    let known = this.#folders.get(folder);
    if (known === undefined) this.#folders.set(folder, (known = this.#look(folder)));
    return known;
  }

  async judge(path: string, bytes: Uint8Array): ReturnType<FolderTrust["judgeFile"]> {
    if (this.#trust === undefined) return "not-trusted";
    return this.#trust.judgeFile(path, sha256Hex(bytes));
  }

  /** A parent may have been trusted together with files below it. */
  async #look(folder: string): Promise<boolean> {
    if (this.#trust === undefined) return false;
    if ((await this.#trust.judgeFolder(folder)) === "trusted") return true;
    const above = dirname(folder);
    return above !== folder && this.isKnown(above);
  }
}
