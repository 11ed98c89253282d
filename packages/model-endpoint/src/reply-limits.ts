/** Limit of the arguments of all calls in a reply, in UTF-16 units; they are buffered until the end. */
export const maxArgumentsLength = 8 * 1_048_576;

/** Readers buffer chunks without output invisibly. Vendors send a few hundred for a hidden part. */
export const maxSilentParts = 100_000;
