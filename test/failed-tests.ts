/** So many lines of an error are shown, the last ones: what was expected stands there. */
const shownLines = 60;

/** The lines of code that `bun test` shows above an error, or the error itself. */
const begins = /^\s*\d+ \| |^(?:error|\w*Error): /;
const place = /^\s+at .+:\d+/;

/**
 * What `bun test` printed of tests that failed: their errors with the code above them, then the lines that name the tests. With
 * more than one worker, an error can stand far from its test.
 */
export function failedTests(output: string): readonly string[] {
  const names = new Set<string>();
  const errors: string[] = [];
  let error: string[] = [];
  const end = (): void => {
    if (error.length > 0) errors.push(error.slice(-shownLines).join("\n"));
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
  // What goes on to the end of the output is none: a test that has passed may have printed its first line.
  return names.size === 0 ? [] : [...errors, ...names];
}
