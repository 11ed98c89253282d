import { sha256Hex } from "@incipit/common";
import type { Storage } from "@incipit/kernel";
import type { PageQuery } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import * as z from "zod";
import { damaged, getStored } from "../stored/stored.ts";
import {
  templateTextKey,
  versionKey,
  versionKeys,
  versionOf,
  versionRecordSchema,
  type VersionRecord,
} from "../stored/template-record.ts";

const textSchema = z.string();

/** Storage returns at most 1,000 entries per call, and one more is requested. */
const maxPageSize = 999;

const maxPassedOver = 100;

export interface VersionPage {
  readonly versions: readonly VersionRecord[];
  readonly damaged: readonly number[];
  readonly nextCursor?: string;
}

export class TemplateVersions {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async list({ cursor, limit }: PageQuery): Promise<VersionPage> {
    const size = Math.min(limit, maxPageSize);
    const end = cursor === undefined ? versionKeys.end : versionKey(versionOfCursor(cursor));
    const broken: number[] = [];
    const records = await this.#storage.list(
      {
        start: versionKeys.start,
        end,
        limit: size + 1,
        reverse: true,
        onInvalid: (key) => broken.push(versionOf(key)),
      },
      versionRecordSchema,
    );
    const entries = new Map<number, VersionRecord | null>();
    for (const { value } of records) entries.set(value.version, value);
    for (const version of broken) entries.set(version, null);
    const sorted = [...entries].toSorted(([a], [b]) => b - a);
    const page = sorted.slice(0, size);
    const last = page.at(-1)?.[0];
    const isMore = sorted.length > page.length && last !== undefined;
    return {
      versions: page.flatMap(([, record]) => record ?? []),
      damaged: page.flatMap(([version, record]) => (record === null ? [version] : [])),
      ...(isMore ? { nextCursor: String(last).padStart(12, "0") } : {}),
    };
  }

  /** @throws {ServiceError} `TEMPLATE_VERSION_UNKNOWN`, `STORED_DATA_DAMAGED`. */
  async get(version: number): Promise<VersionRecord & { readonly template: string | null }> {
    const stored = await getStored(this.#storage, versionKey(version), versionRecordSchema);
    if (stored !== undefined) return { ...stored.value, template: await this.#readText(stored.value.sha256) };
    const message = `Version ${version} of the template does not exist`;
    throw new ServiceError("TEMPLATE_VERSION_UNKNOWN", message, { next: { action: "list-template-versions" } });
  }

  async describe(version: number): Promise<VersionRecord | undefined> {
    const range = { prefix: versionKey(version), limit: 1, onInvalid: () => {} };
    const [record] = await this.#storage.list(range, versionRecordSchema);
    return record?.value;
  }

  async before(version: number): Promise<number | undefined> {
    const [nearest] = await this.#storage.list(
      {
        start: versionKeys.start,
        end: versionKey(version),
        limit: maxPassedOver,
        reverse: true,
        onInvalid: () => {},
      },
      versionRecordSchema,
    );
    return nearest?.value.version;
  }

  async #readText(sha256: string | null): Promise<string | null> {
    if (sha256 === null) return null;
    const key = templateTextKey(sha256);
    const stored = await getStored(this.#storage, key, textSchema);
    if (stored === undefined) throw damaged(key, "it is referred to, but gone");
    if (sha256Hex(stored.value) !== sha256) throw damaged(key, "its hash does not match");
    return stored.value;
  }
}

/** @throws {ServiceError} `INVALID_REQUEST` for a cursor of another list. */
function versionOfCursor(cursor: string): number {
  if (/^\d{12}$/.test(cursor)) return Number(cursor);
  throw new ServiceError(
    "INVALID_REQUEST",
    `"${cursor}" is not a cursor of the template's versions; use the "nextCursor" of the page before`,
  );
}
