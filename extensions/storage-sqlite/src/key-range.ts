/**
 * The first key after the prefix in the order of UTF-8 bytes, which equals the order of code points: the last code
 * point with a successor is incremented.
 */
export function endOfPrefix(prefix: string): string | undefined {
  const codePoints = Array.from(prefix, (character) => Number(character.codePointAt(0)));
  for (let last = codePoints.pop(); last !== undefined; last = codePoints.pop()) {
    if (last === 0x10_ffff) continue;
    const next = last === 0xd7_ff ? 0xe0_00 : last + 1; // Skips surrogates, which UTF-8 cannot encode.
    return String.fromCodePoint(...codePoints, next);
  }
  return undefined;
}

/** @throws {TypeError} for a key that UTF-8 cannot encode, or that SQLite would cut at a NUL. */
export function assertKey(key: string): void {
  if (key.isWellFormed() && !key.includes("\u0000")) return;
  throw new TypeError(
    `Cannot use key ${JSON.stringify(key)}: it holds half a surrogate pair or a NUL; encode it first`,
  );
}
