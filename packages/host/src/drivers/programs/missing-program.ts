import { errorCode } from "../../failures/error-code.ts";

/** Whether a program did not start because there is none that this system can run. */
export function isMissingProgram(error: unknown): boolean {
  return ["ENOENT", "EACCES", "ENOEXEC"].includes(errorCode(error) ?? "");
}
