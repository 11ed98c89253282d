import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { errorCode } from "../../failures/error-code.ts";
import { fileAbsence, type FileAbsence } from "./file-absence.ts";
import { leadsTo, type GrantedPaths } from "./granted-paths.ts";

/** `PATH_MAX` of Linux. */
const maxPathBytes = 4_096;

export type Found =
  /** For `missing`, where the file would be. Links resolved. */
  { readonly kind: "found" | "missing"; readonly path: string } | ({ readonly kind: "absent" } & FileAbsence);

export async function findGranted(path: string, cwd: string, granted: GrantedPaths): Promise<Found> {
  const named = resolve(cwd, path);
  // The result must not reveal whether a file outside the grant exists.
  if (!(await granted.allowsName(named))) return { kind: "absent", reason: "denied" };
  if (named.includes("\u0000") || Buffer.byteLength(named) > maxPathBytes)
    return { kind: "absent", reason: "not-found" };
  let real: string;
  try {
    real = await realpath(named);
  } catch (error) {
    // A dangling link must not reveal it either.
    const missing = await leadsTo(named);
    if (!(await granted.allowsReal(missing))) return { kind: "absent", reason: "denied" };
    return errorCode(error) === "ENOENT"
      ? { kind: "missing", path: missing }
      : { kind: "absent", ...fileAbsence(error) };
  }
  if (!(await granted.allowsReal(real))) return { kind: "absent", reason: "denied" };
  return { kind: "found", path: real };
}
