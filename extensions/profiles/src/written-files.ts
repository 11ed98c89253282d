import type { Storage } from "@incipit/kernel";
import * as z from "zod";

const writtenSchema = z.object({ path: z.string(), sha256s: z.array(z.string()) });

/**
 * What was written through this host into files of working folders: such a file counts with that content as if a person had
 * trusted it, for as long as they trust its folder. Whoever wrote it could have told models the same in another way.
 */
export class WrittenFiles {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async has(path: string, sha256: string): Promise<boolean> {
    return (await this.#of(path)).includes(sha256);
  }

  /**
   * Does a write of which the file counts all the time: until it is over with what it held, and with what it is to hold; after
   * it with what it holds, also where the host ends in between. One at a time for each path.
   * @param sha256 Of what it is to hold; `undefined`: it is taken away.
   * @param write Says whether it was done.
   */
  async during(path: string, sha256: string | undefined, write: () => Promise<boolean>): Promise<boolean> {
    const before = await this.#of(path);
    if (sha256 !== undefined) await this.#set(path, [...before, sha256]);
    let isDone = false;
    try {
      return (isDone = await write());
    } finally {
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
  return `written:${new Bun.CryptoHasher("sha256").update(path).digest("hex")}`;
}
