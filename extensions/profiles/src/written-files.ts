import type { Storage } from "@incipit/kernel";
import * as z from "zod";

const writtenSchema = z.object({ path: z.string(), sha256: z.string() });

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
    return (await this.#storage.get(keyOf(path), writtenSchema))?.sha256 === sha256;
  }

  /** @param sha256 Of what it holds; `undefined`: it was taken away. */
  async note(path: string, sha256: string | undefined): Promise<void> {
    if (sha256 === undefined) await this.#storage.delete(keyOf(path));
    else await this.#storage.set(keyOf(path), { path, sha256 });
  }
}

function keyOf(path: string): string {
  return `written:${new Bun.CryptoHasher("sha256").update(path).digest("hex")}`;
}
