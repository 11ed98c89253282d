import { oneLinePattern } from "../text/hidden-characters.ts";

/** Pattern and error message for text in tables and logs. */
export const oneLine = [oneLinePattern, "must be one line without control and hidden characters"] as const;
