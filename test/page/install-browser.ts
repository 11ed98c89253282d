/** Installs Chromium where it is missing and can be had from Debian's packages; says what to do where it cannot. */
import { browserPath } from "./browser.ts";

async function run(...command: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = Bun.spawn([...command], { env, stdin: "ignore", stdout: "ignore", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error(`"${command.join(" ")}" ended with ${String(child.exitCode)}`);
}

if (browserPath() === undefined) {
  if (Bun.which("apt-get") === null || process.getuid?.() !== 0)
    throw new Error(
      "The page is tested in Chromium, which is not here: install it, such as with: apt-get install chromium",
    );
  await run("apt-get", "update", "-qq");
  await run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium");
}
process.stdout.write(`${String(browserPath())}\n`);
