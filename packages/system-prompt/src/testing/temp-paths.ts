import { createTempFolder, type TempFolder } from "@incipit/testkit";
import { afterAll, beforeAll } from "bun:test";
import { join } from "node:path";

/** Returns a new path per call, in a folder that lasts as long as the test file. */
export function tempPaths(): () => string {
  let folder: TempFolder | undefined;
  let count = 0;
  beforeAll(async () => {
    folder = await createTempFolder();
  });
  afterAll(async () => {
    await folder?.[Symbol.asyncDispose]();
  });
  return () => join(folder?.path ?? "", String(count++));
}
