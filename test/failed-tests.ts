/** So many lines of an error are shown, the last ones: what was expected stands there. */
const shownLines = 60;

/** The lines of code that `bun test` shows above an error, or the error itself. */
const begins = /^\s*\d+ \| |^(?:error|\w*Error): /;
const place = /^\s+at .+:\d+/;

/** The lines that name tests which passed at their second run. */
export function secondTries(output: string): readonly string[] {
  return [...output.matchAll(/^\(pass\) .* \(attempt [2-9]\)(?: \[.*\])?$/gm)].map(([line]) => line);
}

/**
 * What `bun test` printed of tests that failed: their errors with the code above them, then the lines that name the tests. With
 * more than one worker, an error can stand far from its test.
 */
export function failedTests(output: string): readonly string[] {
  const names = new Set<string>();
  const errors = new Set<string>(); // One that failed twice has said it twice.
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
  // What goes on to the end of the output is none: a test that has passed may have printed its first line.
  return names.size === 0 && secondTries(output).length === 0 ? [] : [...errors, ...names];
}
