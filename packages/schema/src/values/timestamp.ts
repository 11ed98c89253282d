import * as z from "zod";

/** ISO 8601, UTC, milliseconds. */
export const timestampSchema = z.iso.datetime({ precision: 3 });
