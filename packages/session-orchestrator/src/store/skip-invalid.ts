/**
 * Skips damaged entries in lists of optional data, so that a damaged step or event does not block its conversation. The
 * kernel reports each in the extension's health.
 */
export const skipInvalid = { onInvalid: (): void => {} } as const;
