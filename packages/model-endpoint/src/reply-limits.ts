/** Limit of all calls' arguments in a reply, in UTF-16 units; they are buffered until the end. */
export const maxArgumentsLength = 8 * 1_048_576;

/**
 * Limit of consecutive chunks without output: readers buffer them invisibly. Vendors send a few hundred for a
 * hidden part.
 */
export const maxSilentParts = 100_000;
