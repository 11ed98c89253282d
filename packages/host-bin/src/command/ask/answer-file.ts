import { lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** A file that an answer goes to: it is there whole, or as it was before. */
export class AnswerFile implements AsyncDisposable {
  readonly #file: string;
  readonly #temporary: string;

  private constructor(file: string, temporary: string) {
    this.#file = file;
    this.#temporary = temporary;
  }

  /** Before anything is asked, which costs something. @throws {Error} where no file can be written. */
  static async at(path: string): Promise<AnswerFile> {
    const file = resolve(path);
    const stats = await lstat(file).catch(() => undefined);
    if (stats?.isDirectory() === true) throw new Error(`Cannot write the answer to "${file}": it is a folder`);
    const temporary = join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}.tmp`);
    try {
      await (await open(temporary, "wx", 0o644)).close();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`Cannot write the answer to "${file}": ${reason}`, { cause });
    }
    return new AnswerFile(file, temporary);
  }

  async write(text: string): Promise<void> {
    await Bun.write(this.#temporary, text.endsWith("\n") ? text : `${text}\n`);
    await rename(this.#temporary, this.#file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#temporary, { force: true });
  }
}
