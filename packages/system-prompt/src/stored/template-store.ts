import { sha256Hex } from "@incipit/common";
import type { Clock, Storage, StorageCheck, StorageWrite } from "@incipit/kernel";
import { maxTemplateBytes } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import * as z from "zod";
import { getStored, isDamage } from "./stored.ts";
import {
  headKey,
  headSchema,
  templateTextKey,
  versionKey,
  versionKeys,
  versionOf,
  type TemplateHead,
  type VersionRecord,
} from "./template-record.ts";

const anythingSchema = z.json();

/** More consecutive conflicts indicate a defect: writers of this host are serialized. */
const maxAttempts = 20;

export interface StoredTemplate {
  readonly template: string;
  readonly version: number;
}

export interface Change {
  readonly author: string | null;
  readonly note: string | null;
  /** Throws to reject the change; receives `undefined` if nothing was ever stored. Called again after a conflict. */
  readonly check?: (head: TemplateHead | undefined) => Promise<void>;
}

/** Each change is stored with its version in one transaction. */
export class TemplateStore {
  readonly #storage: Storage;
  readonly #clock: Clock;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** @throws {ServiceError} `STORED_DATA_DAMAGED`. */
  async get(): Promise<StoredTemplate | undefined> {
    const head = await this.head();
    if (head === undefined || head.template === null) return undefined;
    return { template: head.template, version: head.version };
  }

  /**
   * Also returns a deleted template.
   *
   * @throws {ServiceError} `STORED_DATA_DAMAGED`.
   */
  async head(): Promise<TemplateHead | undefined> {
    return (await getStored(this.#storage, headKey, headSchema))?.value;
  }

  /**
   * An identical text creates no version. An unreadable record is moved to `damaged:template:<version>`.
   *
   * @throws {ServiceError} `TEMPLATE_TOO_LARGE`, or the error of `check`; nothing changes then.
   */
  async set(template: string, change: Change): Promise<TemplateHead> {
    checkTemplateSize(template);
    // Storage keeps UTF-8, which cannot represent lone surrogates.
    return this.replace(template.toWellFormed(), change);
  }

  /** `null` deletes the template. Returns `undefined` if there was none. */
  replace(template: string, change: Change): Promise<TemplateHead>;
  replace(template: string | null, change: Change): Promise<TemplateHead | undefined>;
  replace(template: string | null, change: Change): Promise<TemplateHead | undefined> {
    const result = this.#lastChange.then(() => this.#replace(template, change));
    this.#lastChange = result.catch(() => undefined); // The caller gets the rejection.
    return result;
  }

  async #replace(template: string | null, { author, note, check }: Change): Promise<TemplateHead | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { headCheck, head, setAside, damage } = await this.#read();
      if (check !== undefined && damage !== undefined) throw damage;
      await check?.(head);
      if (damage === undefined && (head?.template ?? null) === template) return head;
      // The storage's version increases with every write of the key, so it exceeds all assigned numbers.
      const unreadable = damage === undefined ? null : headCheck.version;
      const version = 1 + Math.max(head?.version ?? 0, unreadable ?? 0, await this.#newestVersion());
      const changed = { template, version, updatedAt: new Date(this.#clock.now()).toISOString() };
      const writes: StorageWrite[] = [
        ...setAside,
        { kind: "set", key: headKey, value: { ...changed } },
        ...recordOf(changed, { author, note }),
      ];
      const result = await this.#storage.atomic([headCheck], writes);
      if (result.kind === "committed") return changed;
    }
    throw new ServiceError("STORAGE_FAILED", "Cannot store the template: others keep changing it; try again");
  }

  async #newestVersion(): Promise<number> {
    const [newest] = await this.#storage.list({ ...versionKeys, reverse: true, limit: 1 }, anythingSchema);
    return newest === undefined ? 0 : versionOf(newest.key);
  }

  async #read(): Promise<{
    readonly headCheck: StorageCheck;
    readonly head: TemplateHead | undefined;
    readonly damage: unknown;
    readonly setAside: readonly StorageWrite[];
  }> {
    const nothing = {
      headCheck: { key: headKey, version: null },
      head: undefined,
      damage: undefined,
      setAside: [],
    };
    try {
      const stored = await this.#storage.getVersioned(headKey, headSchema);
      if (stored === undefined) return nothing;
      return { ...nothing, headCheck: { key: headKey, version: stored.version }, head: stored.value };
    } catch (error) {
      if (!isDamage(error)) throw error;
      const stored = await this.#storage.getVersioned(headKey, anythingSchema);
      if (stored === undefined) return nothing;
      const { value, version } = stored;
      const setAside = [{ kind: "set", key: `damaged:template:${version}`, value } as const];
      return { ...nothing, headCheck: { key: headKey, version }, damage: error, setAside };
    }
  }
}

/** @throws {ServiceError} `TEMPLATE_TOO_LARGE`. */
export function checkTemplateSize(template: string): void {
  const sizeBytes = Buffer.byteLength(template);
  if (sizeBytes <= maxTemplateBytes) return;
  const message = `The template has ${sizeBytes} bytes of at most ${maxTemplateBytes}; shorten it, or insert a file with [file:PATH]`;
  throw new ServiceError("TEMPLATE_TOO_LARGE", message, { details: { sizeBytes, maxTemplateBytes } });
}

function recordOf(
  { template, version, updatedAt }: TemplateHead,
  said: Pick<Change, "author" | "note">,
): readonly StorageWrite[] {
  const sha256 = template === null ? null : sha256Hex(template);
  const sizeBytes = template === null ? 0 : Buffer.byteLength(template);
  const value = { version, createdAt: updatedAt, sha256, sizeBytes, ...said } satisfies VersionRecord;
  const write: StorageWrite = { kind: "set", key: versionKey(version), value };
  if (sha256 === null || template === null) return [write];
  return [write, { kind: "set", key: templateTextKey(sha256), value: template }];
}
