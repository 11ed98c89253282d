import { askerSchema } from "@incipit/schema";
import * as z from "zod";

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

const allowedCallsSchema = z.strictObject({
  id: z.string(),
  tool: z.string(),
  by: askerSchema,
  grants: z.array(z.string()),
  /** Identity of the folder at the path. */
  folder: z.string(),
  allowedAt: z.iso.datetime(),
});
export type AllowedInFolder = z.infer<typeof allowedCallsSchema>;

const trustedFolderSchema = z.strictObject({
  /** Absolute, links resolved. */
  path: z.string(),
  /** SHA-256 of each trusted file, by its path below the folder with links resolved. */
  files: z.record(z.string(), sha256Schema),
  trustedAt: z.iso.datetime(),
  /** Tool calls allowed for later conversations; removed together with the trust. */
  allowed: z.array(allowedCallsSchema).default([]),
});
/** A trusted folder and the files covered. */
export type TrustedFolder = z.infer<typeof trustedFolderSchema>;

const declinedFolderSchema = z.strictObject({
  path: z.string(),
  /** Hash of the declined `incipit.toml`. */
  sha256: sha256Schema,
  declinedAt: z.iso.datetime(),
});

/** `trust.json` of a data folder. */
export const trustFileSchema = z.strictObject({
  folders: z.array(trustedFolderSchema),
  /** Declined folders, so that the same content is not offered again. */
  declined: z.array(declinedFolderSchema),
});
export type TrustFile = z.infer<typeof trustFileSchema>;
