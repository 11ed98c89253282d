export interface RequestJson {
  readonly value: unknown;
  /** Strict JSON parsers (RFC 8259) reject a body with lone surrogates. */
  readonly isWellFormed: boolean;
}

/** Returns `undefined` for invalid JSON. */
export function parseRequestJson(text: string): RequestJson | undefined {
  try {
    let isWellFormed = true;
    const value: unknown = JSON.parse(text, (key, inner: unknown) => {
      if (!key.isWellFormed() || (typeof inner === "string" && !inner.isWellFormed())) isWellFormed = false;
      return inner;
    });
    return { value, isWellFormed };
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isBlank(text: unknown): boolean {
  return typeof text === "string" && text.trim() === "";
}

/** Sorted and unique, since tools come first in a vendor's cache. */
export function toolNameProblems(names: readonly string[], pattern: RegExp): readonly string[] {
  const bad = names.filter((name) => !pattern.test(name)).map((name) => `tools: "${name}" is no name of a tool`);
  const isSorted = names.every((name, index) => index === 0 || (names[index - 1] ?? "") <= name);
  return [
    ...bad,
    ...(new Set(names).size === names.length ? [] : ["tools: two have one name"]),
    ...(isSorted ? [] : ["tools: they are not sorted by name"]),
  ];
}
