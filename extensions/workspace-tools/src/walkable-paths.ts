import type { FileSystem } from "@incipit/kernel";
import { basename, dirname, join } from "node:path/posix";
import type { ToolCall } from "./define-tool.ts";
import { IgnoredPaths } from "./ignored-paths.ts";
import { fileTimeoutMs, maxGitignoreBytes } from "./limits.ts";
import { textOf } from "./workspace-file.ts";

/** For paths that were found in another way. */
export class WalkablePaths {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #call: ToolCall;
  readonly #folders = new Map<string, Promise<IgnoredPaths | undefined>>();

  constructor(fs: FileSystem, root: string, call: ToolCall) {
    this.#fs = fs;
    this.#root = root;
    this.#call = call;
  }

  async keeps(path: string): Promise<boolean> {
    const ignored = await this.#of(dirname(path));
    return ignored !== undefined && !ignored.has(path, basename(path));
  }

  #of(folder: string): Promise<IgnoredPaths | undefined> {
    const known = this.#folders.get(folder) ?? this.#read(folder);
    this.#folders.set(folder, known);
    return known;
  }

  async #read(folder: string): Promise<IgnoredPaths | undefined> {
    if (folder === ".") return new IgnoredPaths(await this.#rulesOf(folder), { folder: "" });
    const above = await this.#of(dirname(folder));
    if (above === undefined || above.has(`${folder}/`, basename(folder))) return undefined;
    return new IgnoredPaths(await this.#rulesOf(folder), { folder: `${folder}/`, above });
  }

  async #rulesOf(folder: string): Promise<string | undefined> {
    const path = join(this.#root, folder, ".gitignore");
    const file = await this.#fs.readFile(path, {
      ...this.#call,
      maxBytes: maxGitignoreBytes,
      timeoutMs: fileTimeoutMs,
    });
    // Like git, reads no rules through a link.
    return file.kind === "read" && file.path === path ? textOf(file.bytes) : undefined;
  }
}
