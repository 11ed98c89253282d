/** Before the first of the running calls. */
let underWay = 0;
let before: string | undefined;

/**
 * `work` reads package.json or tsconfig.json of the working folder, which must contain none from others. No code that
 * resolves relative paths may run concurrently.
 */
export async function outsideOfFolders<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  if (underWay === 0) {
    before = currentFolder();
    process.chdir(folder);
  }
  underWay += 1;
  try {
    return await work();
  } finally {
    underWay -= 1;
    if (underWay === 0 && before !== undefined) goBack(before);
  }
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function goBack(folder: string): void {
  try {
    process.chdir(folder);
  } catch {}
}
