import { KernelError, type Kernel, type Log } from "@incipit/kernel";
import { errorMessage } from "../failures/error-code.ts";
import { extensionOfStack } from "../extension-folder/extension-stack.ts";
import type { HostExtensionManager } from "./extension-manager.ts";

export interface AttributionSources {
  readonly kernel: Kernel;
  readonly manager: HostExtensionManager;
  readonly log: Log;
}

/**
 * A string or a native error without a stack does not identify its source: it is attributed to the only running
 * extension from a folder, or logged if there are several. Returns `false` if no extension can be the source.
 */
export function attributeUncaught(error: unknown, { kernel, manager, log }: AttributionSources): boolean {
  const suspects = kernel.list().filter(({ trust, generation }) => trust === "standard" && generation > 0);
  const named = KernelError.is(error) ? error.extension : undefined;
  const stack = error instanceof Error ? String(error.stack) : ""; // Code can set it to any value.
  const known = extensionOfStack(stack) ?? suspects.find((suspect) => suspect.id === named)?.id;
  if (known === undefined && suspects.length > 0) {
    const ids = suspects.map((suspect) => suspect.id).join(", ");
    const message = "Uncaught error, of an unknown extension or the host";
    log.error(message, { error: errorMessage(error), stack, oneOf: ids });
  }
  const id = known ?? (suspects.length === 1 ? suspects[0]?.id : undefined);
  if (id !== undefined) kernel.reportUncaught(id, manager.located(id, error));
  return suspects.length > 0 || id !== undefined;
}
