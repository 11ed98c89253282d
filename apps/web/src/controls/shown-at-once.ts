/** UTF-16 units of a long text that are drawn until somebody asks for more. */
export const shownAtOnce = 2_000_000;
