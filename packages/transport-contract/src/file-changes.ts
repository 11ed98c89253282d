import { maxRestoredFiles, type FileChanges, type FileChangesQuery, type RestoredFiles } from "@incipit/schema";
import type { Client } from "./client.ts";
import { ApiClientError } from "./http/api-client-error.ts";
import { routes } from "./routes.ts";

/** What the turns of a conversation did to files, or what was put back; no file where nothing was. */
export async function fileChanges(client: Client, id: string, range: FileChangesQuery): Promise<FileChanges> {
  try {
    return await client.call(routes.listFileChanges, { params: { id }, query: range });
  } catch (error) {
    if (error instanceof ApiClientError && error.code === "RESTORATION_UNKNOWN")
      return { files: [], otherTools: [] };
    throw error;
  }
}

/** Puts files back, in as many requests as it takes. Gives what became of those of each, as the next one may fail. */
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
