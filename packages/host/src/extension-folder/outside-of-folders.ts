/** How many works are under way, and where this process was before the first of them. */
let underWay = 0;
let before: string | undefined;

/**
 * Does something that reads the settings of wherever this process is, such as a package.json or a tsconfig.json, in a folder
 * where no stranger has put any. It is for works beside which nobody looks for a relative path.
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

/** `undefined`: it has gone. */
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
    // It has gone meanwhile: there is nothing to go back to.
  }
}
