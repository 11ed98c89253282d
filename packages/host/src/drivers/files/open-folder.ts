import { constants } from "node:fs";
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncFolderBeside } from "../../disk/synced-file.ts";
import { errorCode } from "../../failures/error-code.ts";
import type { GrantedPaths } from "./granted-paths.ts";
import { pathOfHandle } from "./handle-path.ts";

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Operations stay in the open folder even if its path is replaced. */
export class OpenFolder implements AsyncDisposable {
  readonly path: string;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.path = path;
  }

  at(name: string): string {
    // Only Linux has paths by handle.
    return join(process.platform === "linux" ? `/proc/self/fd/${this.#handle.fd}` : this.path, name);
  }

  async sync(): Promise<void> {
    await syncFolderBeside(this.#handle);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

export interface OpenFolderOptions {
  readonly granted: GrantedPaths;
  /** Has to be granted; absent for the folder itself. */
  readonly entry?: string;
}

/** `undefined` if the opened folder lies elsewhere and is not granted. */
export async function openFolder(path: string, options: OpenFolderOptions): Promise<OpenFolder | undefined> {
  return judged(await open(path, flags), path, options);
}

/** Creates each missing folder inside its open parent. */
export async function makeFolder(path: string, options: OpenFolderOptions): Promise<OpenFolder | undefined> {
  const { granted, entry = "" } = options;
  const missing: string[] = [];
  const ahead = (): string => join(...missing.toReversed(), entry);
  let at = path;
  let folder: OpenFolder | undefined;
  for (;;) {
    try {
      folder = await openFolder(at, { granted, entry: ahead() });
      break;
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || at === dirname(at)) throw error;
      missing.push(basename(at));
      at = dirname(at);
    }
  }
  for (let name = missing.pop(); name !== undefined && folder !== undefined; name = missing.pop()) {
    await using parent = folder;
    await mkdir(parent.at(name)).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    await parent.sync();
    folder = await judged(await open(parent.at(name), flags), join(parent.path, name), {
      granted,
      entry: ahead(),
    });
  }
  return folder;
}

async function judged(
  handle: FileHandle,
  path: string,
  { granted, entry = "" }: OpenFolderOptions,
): Promise<OpenFolder | undefined> {
  try {
    const real = await pathOfHandle(handle, path);
    if (await granted.allowsReal(join(real, entry))) return new OpenFolder(handle, real);
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}
