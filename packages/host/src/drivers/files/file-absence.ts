import { errorCode, errorMessage } from "../../failures/error-code.ts";

export interface FileAbsence {
  readonly reason: "not-found" | "denied" | "not-a-file" | "failed";
  readonly detail?: string;
}

export function fileAbsence(error: unknown): FileAbsence {
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
    case "ELOOP":
      return { reason: "not-found" };
    case "ENXIO":
    case "ENODEV":
    case "EISDIR":
      return { reason: "not-a-file" };
    case "EACCES":
    case "EPERM":
      return { reason: "denied", detail: "the system does not permit it" };
    case "EROFS":
      return { reason: "denied" };
    default:
      return { reason: "failed", detail: errorMessage(error) };
  }
}
