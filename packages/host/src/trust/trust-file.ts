import { askerSchema } from "@incipit/schema";
import * as z from "zod";

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

const allowedCallsSchema = z.strictObject({
  id: z.string(),
  tool: z.string(),
  by: askerSchema,
  grants: z.array(z.string()),
  folder: z.string(),
  allowedAt: z.iso.datetime(),
});
export type AllowedInFolder = z.infer<typeof allowedCallsSchema>;

const trustedFolderSchema = z.strictObject({
  path: z.string(),
  /** SHA-256 of each trusted file, by its path below the folder with links resolved. */
  files: z.record(z.string(), sha256Schema),
  trustedAt: z.iso.datetime(),
  /** Approvals for later conversations of the folder, which end with the trust. */
  allowed: z.array(allowedCallsSchema),
});
export type TrustedFolder = z.infer<typeof trustedFolderSchema>;

const declinedFolderSchema = z.strictObject({
  path: z.string(),
  sha256: sha256Schema,
  declinedAt: z.iso.datetime(),
});

export const trustFileSchema = z.strictObject({
  folders: z.array(trustedFolderSchema),
  /** Folders that the user did not trust; the same content is not offered again. */
  declined: z.array(declinedFolderSchema),
});
export type TrustFile = z.infer<typeof trustFileSchema>;
