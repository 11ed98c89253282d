/** UTF-16 units of a long text drawn before the user asks for more. */
export const shownAtOnce = 2_000_000;
