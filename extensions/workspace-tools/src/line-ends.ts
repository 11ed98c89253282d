const lineEnd = /\r\n|\r|\n/g;

export function lineEnds(text: string): readonly string[] {
  return text.match(lineEnd) ?? [];
}

export function toLf(text: string): string {
  return text.includes("\r") ? text.replaceAll(lineEnd, "\n") : text;
}

export function onlyLineEnd(text: string): string | undefined {
  const ends = new Set(lineEnds(text));
  return ends.size === 1 ? [...ends][0] : undefined;
}
