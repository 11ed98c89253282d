/** Arguments of the calls of one reply, in UTF-16 units: they are kept until its end. */
export const maxArgumentsLength = 8 * 1_048_576;

/**
 * Parts of a reply that tell nothing, one after the other: each is kept by whoever reads it, and nobody who waits for an event
 * sees that they come. Vendors send a few hundred, of a part that they do not show.
 */
export const maxSilentParts = 100_000;
