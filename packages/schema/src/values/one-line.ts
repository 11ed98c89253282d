import { oneLinePattern } from "../text/hidden-characters.ts";

/** What a text has to match that fits into a table and a log, and the words for one that does not. */
export const oneLine = [oneLinePattern, "must be one line without control and hidden characters"] as const;
