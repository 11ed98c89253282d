import * as z from "zod";

const rule = "must be a number of seconds, from 0.001 to 3600";

/** Seconds that a call may take, of clients that bound it in the body; then it is stopped. No vendor has this field. */
export const callTimeoutSchema = z.number({ error: rule }).min(0.001, rule).max(3_600, rule).nullish();
