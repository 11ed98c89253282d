import { isAbsolute } from "node:path";
import type { PreviewSystemPromptRequest } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";

/** @throws {ServiceError} `CWD_INVALID`. */
export function checkCwd({ cwd }: Pick<PreviewSystemPromptRequest, "cwd">): void {
  if (cwd !== undefined && !isAbsolute(cwd)) {
    const message = `Cannot use cwd "${cwd}": it is not absolute; write the full path`;
    throw new ServiceError("CWD_INVALID", message, { details: [{ field: '"cwd"' }] });
  }
}
