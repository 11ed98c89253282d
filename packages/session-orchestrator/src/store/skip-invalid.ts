/**
 * A damaged step or event in a list of optional data must not block its conversation. The kernel reports each in the
 * extension's health.
 */
export const skipInvalid = { onInvalid: (): void => {} } as const;
