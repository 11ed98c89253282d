import type { ServiceReference } from "@incipit/kernel";
import type { FolderTrust } from "@incipit/service-contract";
import type { AgentFolder } from "./agent-folders.ts";
import type { FoundFile } from "./found-file.ts";
import type { WrittenFiles } from "./written-files.ts";

/** Accepts files that the user trusts in their current content, and files written through this host. */
export class AgentTrust {
  readonly #trust: ServiceReference<FolderTrust>;
  readonly #written: WrittenFiles;

  constructor(trust: ServiceReference<FolderTrust>, written: WrittenFiles) {
    this.#trust = trust;
    this.#written = written;
  }

  /** @param folders Nearest first. */
  async isFolderTrusted(folder: AgentFolder, folders: readonly AgentFolder[]): Promise<boolean> {
    if (folder.tier === "user") return true;
    const trust = this.#trust.current;
    if (trust === undefined) return false;
    for (const { path } of folders.slice(folders.findIndex(({ path }) => path === folder.path)))
      if ((await trust.judgeFolder(path)) === "trusted") return true;
    return false;
  }

  async trusted(files: readonly FoundFile[], folders: readonly AgentFolder[]): Promise<ReadonlySet<FoundFile>> {
    const trust = this.#trust.current;
    const judged = files.filter(({ folder }) => folder.tier !== "user");
    const found = new Set(files.filter(({ folder }) => folder.tier === "user"));
    if (trust === undefined || judged.length === 0) return found;
    const answers = await trust.judgeFiles(judged.map(({ path, sha256 }) => ({ path, sha256 })));
    for (const [index, file] of judged.entries()) {
      if (answers[index] === "trusted") found.add(file);
      else if (await this.#isWrittenHere(file, folders)) found.add(file);
    }
    return found;
  }

  async #isWrittenHere({ folder, path, sha256 }: FoundFile, folders: readonly AgentFolder[]): Promise<boolean> {
    return (await this.#written.has(path, sha256)) && (await this.isFolderTrusted(folder, folders));
  }
}
