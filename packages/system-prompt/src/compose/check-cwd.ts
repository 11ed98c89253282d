import { isAbsolute } from "node:path";
import type { PreviewSystemPromptRequest } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";

/**
 * What no conversation can be asked for is not shown either.
 * @throws {ServiceError} `CWD_INVALID`, as a conversation that is made with it.
 */
export function checkCwd({ cwd }: Pick<PreviewSystemPromptRequest, "cwd">): void {
  if (cwd !== undefined && !isAbsolute(cwd)) {
    const message = `Cannot use cwd "${cwd}": it is not absolute; write the full path`;
    throw new ServiceError("CWD_INVALID", message, { details: [{ field: '"cwd"' }] });
  }
}
