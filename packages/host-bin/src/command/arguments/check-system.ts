import { isFilePath } from "@incipit/host/configuration";
import { UsageError } from "./arguments.ts";

/** Refuses a path in the place of a system text: the model would be told the path. @throws {UsageError} */
export function checkSystem(texts: readonly string[]): void {
  const path = texts.find(isFilePath);
  if (path === undefined) return;
  throw new UsageError(
    `"--system" is ${JSON.stringify(path)}, which is the path of a file and not a text; to send what the file holds: --system "$(cat FILE)"`,
  );
}
