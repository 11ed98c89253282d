/** The refused extension of each refusal error. Keyed by identity, because an extension can forge a property. */
const refusedOf = new WeakMap<object, string>();

/** Marks an error as a refusal of `extension` and returns it. */
export function asRefusalOf<Refused extends Error>(extension: string, error: Refused): Refused {
  refusedOf.set(error, extension);
  return error;
}

/** Returns the extension that an error refuses, or `undefined` when the error is not marked. */
export function extensionRefused(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? refusedOf.get(error) : undefined;
}
