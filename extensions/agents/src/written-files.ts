import { sha256Hex } from "@incipit/common";
import type { Storage } from "@incipit/kernel";
import * as z from "zod";

const writtenSchema = z.object({ path: z.string(), sha256s: z.array(z.string()) });

/**
 * A file counts as trusted with exactly the content written through this host, while its folder is trusted: a client
 * that may write it could instruct models anyway.
 */
export class WrittenFiles {
  readonly #storage: Storage;
  #writes = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Increases with each write: results read before it may be outdated. */
  get writes(): number {
    return this.#writes;
  }

  async has(path: string, sha256: string): Promise<boolean> {
    return (await this.#of(path)).includes(sha256);
  }

  /**
   * Trusts the old and the new content until the write ends, then the actual content, also when the host exits in
   * between. One write at a time per path.
   * @param sha256 `undefined` to remove the file.
   * @param write Returns whether the file was changed.
   */
  async during(path: string, sha256: string | undefined, write: () => Promise<boolean>): Promise<boolean> {
    const before = await this.#of(path);
    if (sha256 !== undefined) await this.#set(path, [...before, sha256]);
    let isDone = false;
    try {
      return (isDone = await write());
    } finally {
      this.#writes += 1; // Before the old content loses its trust.
      await this.#set(path, isDone ? (sha256 === undefined ? [] : [sha256]) : before);
    }
  }

  async #of(path: string): Promise<readonly string[]> {
    return (await this.#storage.get(keyOf(path), writtenSchema))?.sha256s ?? [];
  }

  async #set(path: string, sha256s: readonly string[]): Promise<void> {
    if (sha256s.length === 0) await this.#storage.delete(keyOf(path));
    else await this.#storage.set(keyOf(path), { path, sha256s });
  }
}

function keyOf(path: string): string {
  return `written:${sha256Hex(path)}`;
}
