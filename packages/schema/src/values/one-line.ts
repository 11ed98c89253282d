/** What a text has to match that fits into a table and a log, and the words for one that does not. */
export const oneLine = [/^[^\p{Cc}\u2028\u2029]*$/u, "must be one line without control characters"] as const;
