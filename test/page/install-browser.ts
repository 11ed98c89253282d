import { browserPath, wantedBrowsers } from "./browser.ts";

async function run(...command: readonly string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = Bun.spawn([...command], { env, stdin: "ignore", stdout: "ignore", stderr: "inherit" });
  return (await child.exited) === 0;
}

const mayInstall = Bun.which("apt-get") !== null && process.getuid?.() === 0;
let isUpToDate = false;

for (const wanted of Object.values(wantedBrowsers)) {
  const [best] = wanted;
  if (mayInstall && best !== undefined && browserPath([best]) === undefined) {
    if (!isUpToDate) await run("apt-get", "update", "-qq");
    isUpToDate = true;
    // Some Debian releases lack a package.
    for (const { name } of wanted) {
      const isInstalled = await run("apt-get", "install", "-y", "-qq", "--no-install-recommends", name);
      if (isInstalled || browserPath(wanted) !== undefined) break;
    }
  }
  const path = browserPath(wanted);
  if (path === undefined)
    throw new Error(
      "The page is tested in Chromium, which is not here: install it, such as with: apt-get install chromium",
    );
  process.stdout.write(`${path}\n`);
}
