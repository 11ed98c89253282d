/** A test that has failed, and the file that it stands in. */
export interface FailedTest {
  readonly file: string;
  readonly name: string;
}

/**
 * The tests that have failed, from what `bun test` writes with several workers: the results of a file stand behind a line with its
 * path, and all failures once more at the end. `undefined`: more has gone wrong than single tests, such as an error between two.
 */
export function failedTests(output: string): readonly FailedTest[] | undefined {
  const failed: FailedTest[] = [];
  let file: string | undefined;
  for (const line of output.split("\n")) {
    if (/^\d+ tests? (?:failed|skipped|todo):$/.test(line)) break; // What follows is said again.
    if (line.startsWith("# Unhandled error")) return undefined;
    file = /^(\S+\.test\.tsx?):$/.exec(line)?.[1] ?? file;
    const name = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/.exec(line)?.[1];
    if (name === undefined) continue;
    if (file === undefined) return undefined;
    failed.push({ file, name });
  }
  const count = Number([...output.matchAll(/^\s*(\d+) fail$/gm)].at(-1)?.[1] ?? -1);
  const errors = [...output.matchAll(/^\s*(\d+) errors?$/gm)].length;
  return failed.length === count && errors === 0 && count > 0 ? failed : undefined;
}
