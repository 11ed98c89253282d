import { isFilePath } from "@incipit/host/configuration";
import { UsageError } from "../registry/usage-error.ts";

/** A path would be sent to the model as the system message. */
export function checkSystem(texts: readonly string[]): void {
  const path = texts.find(isFilePath);
  if (path === undefined) return;
  throw new UsageError(
    `"--system" is ${JSON.stringify(path)}, which is the path of a file and not a text; to send what the file holds: --system "$(cat FILE)"`,
  );
}
