import * as z from "zod";

const rule = "must be 1 to 64 letters, digits, _ and -, and begin with a letter or a digit";

/** Name of a schedule, as models see it. */
export const scheduleIdSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, rule);
