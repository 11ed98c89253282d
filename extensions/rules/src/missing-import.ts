import type { ImportReading, RuleImport } from "@incipit/schema";
import { dirname, join } from "node:path";
import type { RuleFiles } from "./rule-files.ts";

/** Endings of files that people import. A word such as `@app.route` has another one. */
const textFile =
  /\.(?:md|mdx|mdc|markdown|txt|rst|adoc|org|json|jsonc|json5|ya?ml|toml|xml|html|css|csv|ini|conf|cfg|sh|py|[cm]?[jt]sx?|go|rs|rb|java|kt|swift|sql|proto|graphql)$/i;

/** Tells an import of a file that does not exist from an `@` in front of something else. */
export class MissingImports {
  readonly #files: RuleFiles;
  readonly #within: string;

  constructor(files: RuleFiles, within: string) {
    this.#files = files;
    this.#within = within;
  }

  /**
   * Path of the missing file, absolute; `undefined`: it is not written as a path. A path is a name with the ending of a text
   * file, one that begins with `./` or `../`, or one in a folder that exists.
   */
  async nameOf(written: RuleImport, folder: string): Promise<string | undefined> {
    for (const reading of [written, ...written.others])
      if (textFile.test(reading.path) && (await this.#isPath(written, reading, folder)))
        return join(folder, reading.path);
    return (await this.#isPath(written, written, folder)) ? join(folder, written.path) : undefined;
  }

  async #isPath(written: RuleImport, { path, end }: ImportReading, folder: string): Promise<boolean> {
    const isWhole = end === written.end; // Without the words behind it.
    if (isWhole && (textFile.test(path) || /^\.{1,2}\//.test(path))) return true;
    return path.includes("/") && this.#files.hasFolder(dirname(join(folder, path)), this.#within);
  }
}
