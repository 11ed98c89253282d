import { maxRestoredFiles, type FileChanges, type FileChangesQuery, type RestoredFiles } from "@incipit/schema";
import type { Client } from "./client.ts";
import { ApiClientError } from "./http/api-client-error.ts";
import { routes } from "./routes.ts";

/** Returns the file changes of turns or of a restoration; empty if there was no restoration. */
export async function fileChanges(client: Client, id: string, range: FileChangesQuery): Promise<FileChanges> {
  try {
    return await client.call(routes.listFileChanges, { params: { id }, query: range });
  } catch (error) {
    if (error instanceof ApiClientError && error.code === "RESTORATION_UNKNOWN")
      return { files: [], otherTools: [] };
    throw error;
  }
}

/**
 * Restores files in as many requests as necessary. Yields the results of each request, because the next may fail.
 */
export async function* restoreFiles(
  client: Client,
  id: string,
  { range, paths }: { readonly range: FileChangesQuery; readonly paths: readonly string[] },
): AsyncGenerator<RestoredFiles["files"]> {
  for (let done = 0; done < paths.length; done += maxRestoredFiles) {
    const body = { ...range, paths: paths.slice(done, done + maxRestoredFiles) };
    yield (await client.call(routes.restoreFiles, { params: { id }, body })).files;
  }
}
