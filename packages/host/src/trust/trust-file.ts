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
  /** SHA-256 by path below the folder, links resolved. */
  files: z.record(z.string(), sha256Schema),
  trustedAt: z.iso.datetime(),
  /** For later conversations; removed together with the trust. */
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
  /** The same content is not offered again. */
  declined: z.array(declinedFolderSchema),
});
export type TrustFile = z.infer<typeof trustFileSchema>;
