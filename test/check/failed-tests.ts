const shownLines = 60;

const begins = /^\s*\d+ \| |^(?:error|\w*Error): /;
const place = /^\s+at .+:\d+/;

/** With several workers, an error can be far from its test. */
export function failedTests(output: string): readonly string[] {
  const names = new Set<string>();
  const errors = new Set<string>();
  let error: string[] = [];
  const end = (): void => {
    if (error.length > 0) errors.add(error.slice(-shownLines).join("\n"));
    error = [];
  };
  let isInPlaces = false;
  for (const line of output.split("\n")) {
    if (line.startsWith("(fail) ")) names.add(line);
    const isPlace = place.test(line);
    if (isInPlaces && !isPlace) end();
    if (error.length > 0 || begins.test(line)) error.push(line);
    isInPlaces = isPlace && error.length > 0;
  }
  // An error that continues to the end of the output is dropped: a passed test may have printed its first line.
  return names.size === 0 ? [] : [...errors, ...names];
}
