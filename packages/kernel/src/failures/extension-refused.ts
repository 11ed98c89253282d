/** Extensions that were refused something in what another one did, by the very errors: an error's own word on it could be anybody's. */
const refusedOf = new WeakMap<object, string>();

/** The same error, known as a refusal of `extension` whoever gets it. */
export function asRefusalOf<Refused extends Error>(extension: string, error: Refused): Refused {
  refusedOf.set(error, extension);
  return error;
}

/** Whose refusal an error is; `undefined`: of whoever did it. */
export function extensionRefused(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? refusedOf.get(error) : undefined;
}
