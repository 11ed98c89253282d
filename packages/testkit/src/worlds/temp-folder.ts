import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempFolder extends AsyncDisposable {
  /** Absolute, links resolved. */
  readonly path: string;
}

/** Creates a folder that is deleted with its content on disposal. */
export async function createTempFolder(): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "incipit-")));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
