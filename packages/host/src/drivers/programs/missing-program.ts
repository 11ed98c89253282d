import { errorCode } from "../../failures/error-code.ts";

/** Whether a program did not start because no runnable file was found. */
export function isMissingProgram(error: unknown): boolean {
  return ["ENOENT", "EACCES", "ENOEXEC"].includes(errorCode(error) ?? "");
}
