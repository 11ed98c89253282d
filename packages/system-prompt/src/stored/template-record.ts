import { lazySchema } from "@incipit/schema";
import * as z from "zod";

/** `template: null` after a deletion: the record remains so that version numbers are not reused. */
export const headKey = "template";
export const headSchema = lazySchema(() =>
  z.object({
    template: z.string().nullable(),
    version: z.int(),
    updatedAt: z.iso.datetime(),
  }),
);
export type TemplateHead = z.infer<typeof headSchema>;

export const versionRecordSchema = lazySchema(() =>
  z.object({
    version: z.int().positive(),
    createdAt: z.iso.datetime({ precision: 3 }),
    /** `null`: the version is a deletion. */
    sha256: z.string().nullable(),
    sizeBytes: z.int().nonnegative(),
    author: z.string().nullable(),
    note: z.string().nullable(),
  }),
);
export type VersionRecord = z.infer<typeof versionRecordSchema>;

const versionPrefix = "template-version:";
const versionDigits = 12;

export const versionKeys = { start: versionPrefix, end: `${versionPrefix}~` } as const;

export function versionKey(version: number): string {
  return `${versionPrefix}${String(version).padStart(versionDigits, "0")}`;
}

export function versionOf(key: string): number {
  return Number(key.slice(versionPrefix.length));
}

/** Separate from prompts' texts, which are deleted with the last conversation that uses them. */
export function templateTextKey(sha256: string): string {
  return `template-text:${sha256}`;
}
