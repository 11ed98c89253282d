import type { FolderTrust } from "@incipit/service-contract";
import type { ServiceReference } from "@incipit/kernel";
import { dirname } from "node:path";

/** What a person has said of files of working folders. */
export class FolderWord {
  readonly #trust: FolderTrust | undefined;
  readonly #folders = new Map<string, Promise<boolean>>();

  /** For one look: what is said meanwhile counts for the next one. */
  constructor(trust: ServiceReference<FolderTrust>) {
    this.#trust = trust.current;
  }

  /** Whether anything in a folder can be trusted: what is there is not even read where nobody has said a word. */
  isKnown(folder: string): Promise<boolean> {
    let known = this.#folders.get(folder);
    if (known === undefined) this.#folders.set(folder, (known = this.#look(folder)));
    return known;
  }

  /** @param path Absolute, links resolved. */
  async judge(path: string, bytes: Uint8Array): ReturnType<FolderTrust["judgeFile"]> {
    if (this.#trust === undefined) return "not-trusted";
    return this.#trust.judgeFile(path, new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
  }

  /** Also one above may have been trusted with files that are below. */
  async #look(folder: string): Promise<boolean> {
    if (this.#trust === undefined) return false;
    if ((await this.#trust.judgeFolder(folder)) === "trusted") return true;
    const above = dirname(folder);
    return above !== folder && this.isKnown(above);
  }
}
