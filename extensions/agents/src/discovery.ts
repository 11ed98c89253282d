import type { FileSystem, Host, ServiceReference } from "@incipit/kernel";
import type { ProfileProblem } from "@incipit/schema";
import { ServiceError, type FolderTrust, type HostDefaults } from "@incipit/service-contract";
import { isAbsolute } from "node:path";
import { foldersOf, type AgentFolder } from "./agent-folders.ts";
import { AgentReader, placesInFolder, placesOfUser, type ReadFolder } from "./agent-reader.ts";
import { FoundAgents } from "./found-agents.ts";
import type { FoundFile } from "./found-file.ts";
import type { WrittenFiles } from "./written-files.ts";

export interface DiscoveryOptions {
  readonly fs: FileSystem;
  readonly defaults: Pick<HostDefaults, "profiles">;
  readonly folderTrust: ServiceReference<FolderTrust>;
  readonly written: WrittenFiles;
  readonly userFolder: string | undefined;
  readonly signal: Host["signal"];
}

const maxLooks = 10;

export interface Discovered {
  readonly agents: FoundAgents;
  readonly folders: readonly AgentFolder[];
}

export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #reader: AgentReader;
  readonly trust: AgentTrust;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#reader = new AgentReader(options.fs);
    this.trust = new AgentTrust(options.folderTrust, options.written);
  }

  async find(cwd: string, asked?: AbortSignal): Promise<Discovered> {
    assertFolder(cwd);
    const { fs, userFolder, defaults } = this.#options;
    const signal = asked === undefined ? this.#options.signal : AbortSignal.any([asked, this.#options.signal]);
    const folders = await foldersOf(cwd, { fs, signal });
    const user = userFolder === undefined ? [] : [{ tier: "user", path: userFolder } as const];
    const { read, files, trusted } = await this.#look([...folders, ...user], { folders, signal });
    const agents = new FoundAgents();
    for (const { folder, problems } of read)
      if (problems.length > 0 && (await this.trust.isFolderTrusted(folder, folders)))
        agents.problems.push(...problems);
    for (const file of files) if (trusted.has(file)) await agents.takeFile(file);
    for (const profile of defaults.profiles) agents.takeConfigured(profile);
    agents.problems.push(...untrusted(read, trusted));
    return { agents, folders };
  }

  async #look(
    places: readonly AgentFolder[],
    { folders, signal }: { readonly folders: readonly AgentFolder[]; readonly signal: AbortSignal },
  ): Promise<{
    readonly read: readonly Read[];
    readonly files: readonly FoundFile[];
    readonly trusted: ReadonlySet<FoundFile>;
  }> {
    const { written } = this.#options;
    for (let looks = 1; ; looks += 1) {
      const { writes } = written;
      const read = await Promise.all(
        places.flatMap((folder) =>
          (folder.tier === "user" ? placesOfUser : placesInFolder).map(async (place) => ({
            folder,
            ...(await this.#reader.read(folder, place, signal)),
          })),
        ),
      );
      signal.throwIfAborted();
      const files = read.flatMap((one) => one.files);
      const trusted = await this.trust.trusted(files, folders);
      if (trusted.size === files.length || writes === written.writes || looks === maxLooks)
        return { read, files, trusted };
    }
  }
}

type Read = ReadFolder & { readonly folder: AgentFolder };

function untrusted(
  read: readonly Read[],
  trusted: ReadonlySet<ReadFolder["files"][number]>,
): readonly ProfileProblem[] {
  const counts = new Map<string, number>();
  for (const { folder, files } of read) {
    const count = files.filter((file) => !trusted.has(file)).length;
    if (count > 0) counts.set(folder.path, (counts.get(folder.path) ?? 0) + count);
  }
  return [...counts].map(([path, count]) => {
    const what = count === 1 ? "1 file that could have agents is" : `${count} files that could have agents are`;
    const message = `${what} not trusted, and was skipped: review the content, and run "incipit trust add ${path}"`;
    return {
      code: "not-trusted",
      path,
      line: null,
      message: count === 1 ? message : message.replace("as it is", "as they are"),
    };
  });
}

function assertFolder(cwd: string): void {
  if (isAbsolute(cwd) && !cwd.includes("\0")) return;
  const message = `Cannot use cwd ${JSON.stringify(cwd.slice(0, 1_000))}: it is not absolute; write the full path`;
  throw new ServiceError("CWD_INVALID", message, { details: [{ field: '"cwd"' }] });
}

/** Accepts files that the user trusts in their current content, and files written through this host. */
class AgentTrust {
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
