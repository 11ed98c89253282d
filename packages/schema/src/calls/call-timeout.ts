import * as z from "zod";

const rule = "must be a number of seconds, from 0.001 to 3600";

/**
 * Seconds until the host stops a call. An extension of ours, for clients that set a timeout in the body; no vendor
 * has this field.
 */
export const callTimeoutSchema = z.number({ error: rule }).min(0.001, rule).max(3_600, rule).nullish();
