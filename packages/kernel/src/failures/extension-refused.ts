/** Keyed by identity, because an extension can forge a property. */
const refusedOf = new WeakMap<object, string>();

export function asRefusalOf<Refused extends Error>(extension: string, error: Refused): Refused {
  refusedOf.set(error, extension);
  return error;
}

export function extensionRefused(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? refusedOf.get(error) : undefined;
}
