/** Number of running calls, and the working folder before the first call. */
let underWay = 0;
let before: string | undefined;

/**
 * Runs `work`, which reads settings of the working folder such as package.json or tsconfig.json, in a folder that
 * contains none from others. No code that resolves relative paths may run concurrently.
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

/** Returns `undefined` for a deleted folder. */
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
  } catch {
    // The folder was deleted; there is nowhere to return to.
  }
}
