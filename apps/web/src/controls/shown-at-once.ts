/** UTF-16 units. */
export const shownAtOnce = 2_000_000;
