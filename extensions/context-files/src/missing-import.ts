import type { ImportReading, RuleImport } from "@incipit/schema";
import { dirname, join } from "node:path";
import type { RuleFiles } from "./rule-files.ts";

/** Distinguishes files from words such as `@app.route`. */
const textFile =
  /\.(?:md|mdx|mdc|markdown|txt|rst|adoc|org|json|jsonc|json5|ya?ml|toml|xml|html|css|csv|ini|conf|cfg|sh|py|[cm]?[jt]sx?|go|rs|rb|java|kt|swift|sql|proto|graphql)$/i;

export class MissingImports {
  readonly #files: RuleFiles;
  readonly #within: string;

  constructor(files: RuleFiles, within: string) {
    this.#files = files;
    this.#within = within;
  }

  /**
   * `undefined` for text that does not look like a path, which has the extension of a text file, begins with `./` or
   * `../`, or is in an existing folder.
   */
  async nameOf(written: RuleImport, folder: string): Promise<string | undefined> {
    for (const reading of [written, ...written.others])
      if (textFile.test(reading.path) && (await this.#isPath(written, reading, folder)))
        return join(folder, reading.path);
    return (await this.#isPath(written, written, folder)) ? join(folder, written.path) : undefined;
  }

  async #isPath(written: RuleImport, { path, end }: ImportReading, folder: string): Promise<boolean> {
    const isWhole = end === written.end;
    if (isWhole && (textFile.test(path) || /^\.{1,2}\//.test(path))) return true;
    return path.includes("/") && this.#files.hasFolder(dirname(join(folder, path)), this.#within);
  }
}
