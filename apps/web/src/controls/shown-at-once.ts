/** Initially drawn UTF-16 units of a long text. */
export const shownAtOnce = 2_000_000;
