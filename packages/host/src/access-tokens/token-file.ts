import { parseJson } from "@incipit/kernel";
import { accessTokenSchema, sha256Schema } from "@incipit/schema";
import { readFileSync, renameSync } from "node:fs";
import * as z from "zod";
import { replaceFile } from "../disk/synced-file.ts";
import { errorCode, errorMessage } from "../failures/error-code.ts";

const storedTokenSchema = accessTokenSchema.omit({ state: true }).extend({
  /** The secret itself is never stored. */
  sha256: sha256Schema,
});
export type StoredToken = z.infer<typeof storedTokenSchema>;

const fileSchema = z.strictObject({
  /** Hash of the host's own token when the file was written. */
  owner: sha256Schema,
  tokens: z.array(storedTokenSchema),
});
export type TokenFile = z.infer<typeof fileSchema>;

/**
 * Moves a damaged file aside, never overwrites it.
 * @throws {Error} if the file cannot be read.
 */
export function readTokenFile(
  file: string,
  { nowMs, report }: { readonly nowMs: number; readonly report: (problem: string) => void },
): TokenFile | undefined {
  try {
    return fileSchema.parse(parseJson(readFileSync(file, "utf8")));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    if (code !== undefined) throw error;
    const aside = `${file}.damaged-${nowMs}`;
    renameSync(file, aside);
    report(
      `The list of tokens could not be read (${errorMessage(error)}) and was set aside as "${aside}": only the host's own token is valid; create new ones ("incipit token new"), or repair the file and restore it`,
    );
    return undefined;
  }
}

/** Writes the token file; with `isFlushed` it survives a power loss. */
export function writeTokenFile(
  file: string,
  content: TokenFile,
  { isFlushed }: { readonly isFlushed: boolean },
): void {
  replaceFile(file, `${JSON.stringify(content, null, 2)}\n`, { isFlushed });
}
