/** A damaged step or event must not block its conversation. The kernel reports each in the extension's health. */
export const skipInvalid = { onInvalid: (): void => {} } as const;
