import { syncFolder, writeFailure, writeSynced } from "@incipit/host/data-folder";
import { chmod, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** The file is complete or unchanged. Links are followed and kept. */
export class AnswerFile implements AsyncDisposable {
  readonly #file: string;
  readonly #temporary: string;

  private constructor(file: string, temporary: string) {
    this.#file = file;
    this.#temporary = temporary;
  }

  /** Checks the file before the turn, because a failure after it would waste its cost. */
  static async at(path: string): Promise<AnswerFile> {
    const named = resolve(path);
    const stats = await stat(named).catch(() => undefined);
    // A rename would replace a device file for every process.
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
