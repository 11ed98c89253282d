import { errorCode } from "../../failures/error-code.ts";

export function isMissingProgram(error: unknown): boolean {
  return ["ENOENT", "EACCES", "ENOEXEC"].includes(errorCode(error) ?? "");
}
