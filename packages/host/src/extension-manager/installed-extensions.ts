import { readFileSync, renameSync } from "node:fs";
import { parseJson } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { capabilitiesSchema } from "@incipit/transport-contract";
import * as z from "zod";
import { replaceFile } from "../disk/synced-file.ts";
import { errorCode, errorMessage } from "../failures/error-code.ts";

const recordSchema = z.strictObject({
  id: z.string(),
  path: z.string(),
  /** A caret range of the granted version. */
  versions: z.string(),
  asked: capabilitiesSchema,
  granted: capabilitiesSchema,
  /** Absent if an older host added it. */
  sha256: z.string().exactOptional(),
});
export type InstalledExtension = z.infer<typeof recordSchema>;

const fileSchema = z.strictObject({ extensions: z.array(recordSchema) });

/** @throws {Error} if it cannot be read. */
export function readInstalled(file: string): readonly InstalledExtension[] {
  try {
    return fileSchema.parse(parseJson(readFileSync(file, "utf8"))).extensions;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** A damaged file is moved aside, never overwritten. */
export class InstalledExtensions {
  readonly #file: string;
  readonly #records = new Map<string, InstalledExtension>();
  /** Why the file is not used, and its new path. */
  readonly damage: string | undefined;

  constructor(file: string, nowMs: number) {
    this.#file = file;
    try {
      for (const record of readInstalled(file)) this.#records.set(record.id, record);
    } catch (error) {
      const aside = `${file}.damaged-${nowMs}`;
      renameSync(file, aside);
      this.damage = `The list of added extensions could not be read (${errorMessage(error)}) and was set aside as "${aside}"; add the extensions again, or repair and restore the file`;
    }
  }

  get(id: string): InstalledExtension | undefined {
    return this.#records.get(id);
  }

  all(): readonly InstalledExtension[] {
    return [...this.#records.values()];
  }

  put(record: InstalledExtension): void {
    this.#records.set(record.id, record);
    this.#write();
  }

  delete(id: string): void {
    if (this.#records.delete(id)) this.#write();
  }

  deleteFrom(path: string): void {
    for (const record of this.all()) if (record.path === path) this.delete(record.id);
  }

  /** @throws {ServiceError} `STORAGE_FAILED`; the change stays effective until the host ends. */
  #write(): void {
    try {
      const text = `${JSON.stringify({ extensions: this.all() }, null, 2)}\n`;
      replaceFile(this.#file, text, { isFlushed: true });
    } catch (cause) {
      const message = `The change lasts only until the host stops: "${this.#file}" cannot be written (${errorMessage(cause)}); make room or repair its folder, and repeat it`;
      throw new ServiceError("STORAGE_FAILED", message, { cause });
    }
  }
}
