/** Anthropic's cache breakpoints, which are not cached. Cannot match inside a string: its quotes are escaped. */
const mark = /,"cache_control":\{[^{}]*\}/g;

export function withoutCacheMarks(body: string): string {
  return body.includes('"cache_control"') ? body.replaceAll(mark, "") : body;
}

export function offsetWithMarks(body: string, offset: number): number {
  let removed = 0;
  for (const { index, 0: text } of body.matchAll(mark)) {
    if (index - removed > offset) break;
    removed += text.length;
  }
  return offset + removed;
}
