/**
 * Anthropic's cache breakpoints, which move with the conversation and are not part of the cached content. Cannot match
 * inside a string, whose quotes are escaped.
 */
const mark = /,"cache_control":\{[^{}]*\}/g;

/** Removes cache markers, for comparing bodies as the cache does. */
export function withoutCacheMarks(body: string): string {
  return body.includes('"cache_control"') ? body.replaceAll(mark, "") : body;
}

/** Converts an offset in a body without markers to one in the original body. */
export function offsetWithMarks(body: string, offset: number): number {
  let removed = 0;
  for (const { index, 0: text } of body.matchAll(mark)) {
    if (index - removed > offset) break;
    removed += text.length;
  }
  return offset + removed;
}
