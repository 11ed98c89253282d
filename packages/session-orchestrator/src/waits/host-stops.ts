/** Abort reason, as opposed to a user's stop. */
export const hostStops: unique symbol = Symbol("the host stops");
