import { isKernelErrorCode, KernelError, type KernelErrorCode } from "./kernel-error.ts";

interface SettledError {
  readonly code: KernelErrorCode;
  readonly message: string;
  readonly extension: string | undefined;
}

/**
 * What a KernelError says, each member read once; `undefined`: it is none. An extension throws what it likes: the mark of one
 * with a message that is no text, or whose reading throws.
 */
export function settledError(error: unknown): SettledError | undefined {
  try {
    if (!KernelError.is(error)) return undefined;
    const { code, message, extension } = error;
    const isExtension = extension === undefined || typeof extension === "string";
    return isKernelErrorCode(code) && typeof message === "string" && isExtension
      ? { code, message, extension }
      : undefined;
  } catch {
    return undefined;
  }
}
