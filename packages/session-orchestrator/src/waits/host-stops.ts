/** Reason of the abort when the host stops, in place of a person. */
export const hostStops: unique symbol = Symbol("the host stops");
