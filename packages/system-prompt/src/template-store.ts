import type { Clock, JsonValue, Storage, StorageCheck, StorageWrite } from "@incipit/kernel";
import { maxTemplateBytes, ServiceError } from "@incipit/service-contract";
import * as z from "zod";
import { getStored, isDamage } from "./stored.ts";

const key = "template";

/** `template: null`: taken away; the record stays, so that no version number is given twice. */
const recordSchema = z.object({ template: z.string().nullable(), version: z.int(), updatedAt: z.iso.datetime() });
const anythingSchema = z.json();

/** Another writer won this often in a row only when something is wrong. */
const maxAttempts = 20;

export interface StoredTemplate {
  readonly template: string;
  readonly version: number;
}

/** The global template, and the number of the version that it is. */
export class TemplateStore {
  readonly #storage: Storage;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** @throws {ServiceError} `STORED_DATA_DAMAGED`. */
  async get(): Promise<StoredTemplate | undefined> {
    const stored = await getStored(this.#storage, key, recordSchema);
    if (stored === undefined || stored.value.template === null) return undefined;
    return { template: stored.value.template, version: stored.value.version };
  }

  /**
   * The same text again is no new version. A record that cannot be read is set aside under `damaged:template:<version>`.
   * @throws {ServiceError} `TEMPLATE_TOO_LARGE`, and then nothing has changed.
   */
  async set(template: string): Promise<void> {
    const sizeBytes = Buffer.byteLength(template);
    if (sizeBytes > maxTemplateBytes) {
      const message = `Cannot store the template: it has ${sizeBytes} bytes of at most ${maxTemplateBytes}; shorten it, or insert a file with [file:PATH]`;
      throw new ServiceError("TEMPLATE_TOO_LARGE", message, { details: { sizeBytes, maxTemplateBytes } });
    }
    await this.#replace(template.toWellFormed()); // What storage keeps is UTF-8, in which a lone surrogate has no form.
  }

  async delete(): Promise<void> {
    await this.#replace(null);
  }

  async #replace(template: string | null): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { check, version, current, setAside } = await this.#read();
      if (current === template) return;
      const value: JsonValue = {
        template,
        version: version + 1,
        updatedAt: new Date(this.#clock.now()).toISOString(),
      };
      const result = await this.#storage.atomic([check], [...setAside, { kind: "set", key, value }]);
      if (result.kind === "committed") return;
    }
    throw new ServiceError("STORAGE_FAILED", "Cannot store the template: others keep changing it; try again");
  }

  async #read(): Promise<{
    readonly check: StorageCheck;
    readonly version: number;
    /** `undefined`: there is none that could be read. */
    readonly current: string | null | undefined;
    readonly setAside: readonly StorageWrite[];
  }> {
    try {
      const stored = await this.#storage.getVersioned(key, recordSchema);
      if (stored === undefined) return { check: { key, version: null }, version: 0, current: null, setAside: [] };
      const { template, version } = stored.value;
      return { check: { key, version: stored.version }, version, current: template, setAside: [] };
    } catch (error) {
      if (!isDamage(error)) throw error;
      const stored = await this.#storage.getVersioned(key, anythingSchema);
      if (stored === undefined) return { check: { key, version: null }, version: 0, current: null, setAside: [] };
      // The storage's own number has grown with every write of the key, so it is past every number given before.
      const { value, version } = stored;
      const setAside = [{ kind: "set", key: `damaged:template:${version}`, value } as const];
      return { check: { key, version }, version, current: undefined, setAside };
    }
  }
}
