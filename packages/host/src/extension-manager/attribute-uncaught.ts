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
 * Notes what nobody caught in the health of the extension that threw it. Some errors do not tell whose they are, such as a
 * text, or a native one without a stack: then it is that of the one extension that is not the host's own, or of one of them.
 * @returns `false`: there is none that it could come from.
 */
export function attributeUncaught(error: unknown, { kernel, manager, log }: AttributionSources): boolean {
  const suspects = kernel.list().filter(({ trust, generation }) => trust === "standard" && generation > 0);
  const named = KernelError.is(error) ? error.extension : undefined;
  const stack = error instanceof Error ? String(error.stack) : ""; // It can be set to anything.
  const known = extensionOfStack(stack) ?? suspects.find((suspect) => suspect.id === named)?.id;
  if (known === undefined && suspects.length > 0) {
    const ids = suspects.map((suspect) => suspect.id).join(", ");
    const message = "Nobody caught an error that does not tell whose it is: of an extension, or of the host itself";
    log.error(message, { error: errorMessage(error), stack, oneOf: ids });
  }
  const id = known ?? (suspects.length === 1 ? suspects[0]?.id : undefined);
  if (id !== undefined) kernel.reportUncaught(id, manager.located(id, error));
  return suspects.length > 0 || id !== undefined;
}
