/** Anthropic's breakpoints, which move with the conversation and are no part of what is cached. In a string its quotes would be escaped. */
const mark = /,"cache_control":\{[^{}]*\}/g;

/** A body as a cache sees it. */
export function withoutCacheMarks(body: string): string {
  return body.includes('"cache_control"') ? body.replaceAll(mark, "") : body;
}

/** The place in a body of what stands at `offset` once the marks are taken out. */
export function offsetWithMarks(body: string, offset: number): number {
  let removed = 0;
  for (const { index, 0: text } of body.matchAll(mark)) {
    if (index - removed > offset) break;
    removed += text.length;
  }
  return offset + removed;
}
