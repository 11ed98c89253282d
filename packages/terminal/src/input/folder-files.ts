import { absoluteFolders } from "@incipit/common/system";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const maxFiles = 50_000;
/** The rest follows with the next key. */
const waitMs = 300;
const listingMs = 10_000;
const freshMs = 5_000;
const neverListed = new Set(["node_modules"]);

interface Listing {
  readonly paths: string[];
  readonly done: Promise<void>;
  isDone: boolean;
  doneAtMs: number;
}

/** Relative paths; folders end in a slash. */
export class FolderFiles {
  #folder: string | undefined;
  #known: readonly string[] = [];
  #listing: Listing | undefined;

  async below(folder: string): Promise<readonly string[]> {
    if (this.#folder !== folder) {
      this.#folder = folder;
      this.#known = [];
      this.#listing = undefined;
    }
    const before = this.#listing;
    const isStale = before === undefined || (before.isDone && performance.now() - before.doneAtMs > freshMs);
    const listing = isStale ? (this.#listing = listed(folder)) : before;
    if (!listing.isDone) await Promise.race([listing.done, elapsed(waitMs)]);
    if (listing.isDone || listing.paths.length > this.#known.length) this.#known = withFolders(listing.paths);
    return this.#known;
  }
}

function listed(folder: string): Listing {
  const paths: string[] = [];
  const listing: Listing = { paths, done: list(folder, paths), isDone: false, doneAtMs: 0 };
  void listing.done.then(() => {
    listing.isDone = true;
    listing.doneAtMs = performance.now();
  });
  return listing;
}

/** Never rejects: keeps the files found before a failure. */
async function list(folder: string, paths: string[]): Promise<void> {
  const signal = AbortSignal.timeout(listingMs);
  try {
    if (!(await listedByGit(folder, { paths, signal }))) await walked(folder, { paths, signal });
  } catch {
    // Gone, or timed out.
  }
}

interface Finding {
  readonly paths: string[];
  readonly signal: AbortSignal;
}

/** Returns `false` outside a repository or without `git`. */
async function listedByGit(folder: string, { paths, signal }: Finding): Promise<boolean> {
  // Prevents git from running programs named in the repository's configuration.
  const options = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const git = Bun.which("git", { PATH: absoluteFolders(process.env["PATH"]) });
  if (git === null) return false;
  await using child = Bun.spawn([git, ...options, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: folder,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    stdout: "pipe",
    stderr: "ignore",
    signal,
  });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of child.stdout) {
    const names = (rest + decoder.decode(chunk, { stream: true })).split("\0");
    rest = names.pop() ?? "";
    paths.push(...names);
    if (paths.length < maxFiles) continue;
    paths.length = maxFiles;
    return true;
  }
  return (await child.exited) === 0 || paths.length > 0;
}

/** Walks a folder breadth first, so that near files are found before deep ones. */
async function walked(root: string, { paths, signal }: Finding): Promise<void> {
  const folders = [""];
  for (const folder of folders) {
    signal.throwIfAborted();
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith(".") || neverListed.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(`${folder}${entry.name}/`);
      else if (entry.isFile()) paths.push(`${folder}${entry.name}`);
      if (paths.length >= maxFiles || folders.length >= maxFiles) return;
    }
  }
}

function withFolders(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) {
      const folder = file.slice(0, at + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return [...folders, ...new Set(files)];
}

function elapsed(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}
