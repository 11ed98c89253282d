import { askerSchema } from "@incipit/schema";
import * as z from "zod";

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

const allowedCallsSchema = z.strictObject({
  id: z.string(),
  tool: z.string(),
  by: askerSchema,
  grants: z.array(z.string()),
  /** Which folder was at the path. */
  folder: z.string(),
  allowedAt: z.iso.datetime(),
});
/** What a person allowed in a folder. */
export type AllowedInFolder = z.infer<typeof allowedCallsSchema>;

const trustedFolderSchema = z.strictObject({
  /** Absolute, links resolved. */
  path: z.string(),
  /** By path below the folder, links resolved: the SHA-256 of what each held when it was trusted. */
  files: z.record(z.string(), sha256Schema),
  trustedAt: z.iso.datetime(),
  /** Calls of tools that were allowed in it for later conversations; they end with the trust. */
  allowed: z.array(allowedCallsSchema).default([]),
});
/** A folder that a person trusts, and the files that this covers. */
export type TrustedFolder = z.infer<typeof trustedFolderSchema>;

const declinedFolderSchema = z.strictObject({
  path: z.string(),
  /** Hash of the `incipit.toml` that was asked about. */
  sha256: sha256Schema,
  declinedAt: z.iso.datetime(),
});

/** `trust.json` of a data folder. */
export const trustFileSchema = z.strictObject({
  folders: z.array(trustedFolderSchema),
  /** Where somebody said no, so that the same content is not asked about again. */
  declined: z.array(declinedFolderSchema),
});
export type TrustFile = z.infer<typeof trustFileSchema>;
