import * as z from "zod";

/** Hex SHA-256 of UTF-8 bytes. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
