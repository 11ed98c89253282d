import { KernelError } from "../failures/kernel-error.ts";
import type { Scope } from "../time/scope.ts";

export interface HostGuards {
  readonly signal: AbortSignal;
  /** For operations visible to others. @throws {KernelError} `SCOPE_CLOSED` once its scope begins to close. */
  readonly assertOpen: () => void;
  /** For operations that a release may still need. @throws {KernelError} `SCOPE_CLOSED` once all were released. */
  readonly assertNotClosed: () => void;
}

export function createHostGuards(extension: string, scope: Scope): HostGuards {
  const closed = (): KernelError => {
    const message = `Cannot continue in "${extension}": it was unloaded; load it again`;
    return new KernelError("SCOPE_CLOSED", message, { extension });
  };
  return {
    signal: scope.signal,
    assertOpen: () => {
      if (scope.isClosing) throw closed();
    },
    assertNotClosed: () => {
      if (scope.isClosed) throw closed();
    },
  };
}
