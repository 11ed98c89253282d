import { lazySchema } from "@incipit/schema";
import * as z from "zod";

/** The stored template. `template: null`: taken away; the record stays, so that no version number is given twice. */
export const headKey = "template";
export const headSchema = lazySchema(() =>
  z.object({
    template: z.string().nullable(),
    version: z.int(),
    updatedAt: z.iso.datetime(),
  }),
);
export type TemplateHead = z.infer<typeof headSchema>;

/** What is kept of each version; its text is kept under its hash, once for all versions that have it. */
export const versionRecordSchema = lazySchema(() =>
  z.object({
    version: z.int().positive(),
    createdAt: z.iso.datetime({ precision: 3 }),
    /** `null`: with this version the template was taken away. */
    sha256: z.string().nullable(),
    sizeBytes: z.int().nonnegative(),
    author: z.string().nullable(),
    note: z.string().nullable(),
  }),
);
export type VersionRecord = z.infer<typeof versionRecordSchema>;

const versionPrefix = "template-version:";
const versionDigits = 12;

/** In the order of their numbers. */
export const versionKeys = { start: versionPrefix, end: `${versionPrefix}~` } as const;

export function versionKey(version: number): string {
  return `${versionPrefix}${String(version).padStart(versionDigits, "0")}`;
}

/** Version that a key of a version's record names. */
export function versionOf(key: string): number {
  return Number(key.slice(versionPrefix.length));
}

/** Not among the texts of prompts: those go with the last conversation that has them. */
export function templateTextKey(sha256: string): string {
  return `template-text:${sha256}`;
}
