import { isKernelErrorCode, KernelError, type KernelErrorCode } from "./kernel-error.ts";

interface SettledError {
  readonly code: KernelErrorCode;
  readonly message: string;
  readonly extension: string | undefined;
}

/**
 * Reads each member once. Returns `undefined` for any other value, including a forged error whose message is not a
 * string or whose getters throw.
 */
export function readKernelError(error: unknown): SettledError | undefined {
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
