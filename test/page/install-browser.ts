/** Installs Chromium where it is missing and can be had from Debian's packages; says what to do where it cannot. */
import { browserPath, wantedBrowsers } from "./browser.ts";

async function run(...command: readonly string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = Bun.spawn([...command], { env, stdin: "ignore", stdout: "ignore", stderr: "inherit" });
  return (await child.exited) === 0;
}

const mayInstall = Bun.which("apt-get") !== null && process.getuid?.() === 0;
const [best] = wantedBrowsers;

if (mayInstall && best !== undefined && browserPath([best]) === undefined) {
  await run("apt-get", "update", "-qq");
  // Not every release of Debian has each of them.
  for (const { name } of wantedBrowsers) {
    const isInstalled = await run("apt-get", "install", "-y", "-qq", "--no-install-recommends", name);
    if (isInstalled || browserPath() !== undefined) break;
  }
}
if (browserPath() === undefined)
  throw new Error(
    "The page is tested in Chromium, which is not here: install it, such as with: apt-get install chromium",
  );
process.stdout.write(`${String(browserPath())}\n`);
