import { syncFolder, writeFailure, writeSynced } from "@incipit/host/data-folder";
import { chmod, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** A file that an answer goes to: it is there whole, or as it was before. A link goes on leading to its file. */
export class AnswerFile implements AsyncDisposable {
  readonly #file: string;
  readonly #temporary: string;

  private constructor(file: string, temporary: string) {
    this.#file = file;
    this.#temporary = temporary;
  }

  /** Before anything is asked, which costs something. @throws {Error} where no file can be written. */
  static async at(path: string): Promise<AnswerFile> {
    const named = resolve(path);
    const stats = await stat(named).catch(() => undefined); // Why nothing can be there, writing says.
    // Put in the place of a device, it would take that away from everybody.
    if (stats?.isFile() === false)
      throw new Error(
        `Cannot write the answer to "${named}": it exists and is not a regular file; name another one`,
      );
    const file = stats === undefined ? named : await realpath(named);
    const temporary = join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}.tmp`);
    try {
      await (await open(temporary, "wx", 0o644)).close();
      if (stats !== undefined) await chmod(temporary, stats.mode & 0o777);
    } catch (cause) {
      const why = writeFailure(cause, "name another one (-o FILE)");
      throw new Error(`Cannot write the answer to "${file}": ${why}`, { cause });
    }
    return new AnswerFile(file, temporary);
  }

  async write(text: string): Promise<void> {
    writeSynced(this.#temporary, text.endsWith("\n") ? text : `${text}\n`);
    await rename(this.#temporary, this.#file);
    syncFolder(dirname(this.#file));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#temporary, { force: true });
  }
}
