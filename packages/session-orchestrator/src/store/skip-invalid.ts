/**
 * For a list of what helps, and is not needed: a damaged step or event must not keep its conversation from going on. The
 * kernel notes each of them in the extension's health.
 */
export const skipInvalid = { onInvalid: (): void => {} } as const;
