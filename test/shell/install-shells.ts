/** Also installs the pager and the manual page checkers; from Debian's packages, if possible. */
import { isCi, shells } from "./shells.ts";

const programs = [...shells, "less", "mandoc", "groff"];
const missing = programs.filter((program) => Bun.which(program) === null);
const mayInstall = Bun.which("apt-get") !== null && process.getuid?.() === 0;

async function run(...command: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await Bun.spawn([...command], { env, stdin: "ignore", stdout: "ignore", stderr: "inherit" }).exited;
}

if (missing.length > 0 && mayInstall) {
  await run("apt-get", "update", "-qq");
  await run("apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing);
}
for (const program of programs) {
  const path = Bun.which(program);
  const advice = `${program} is not here: install it, such as with: apt-get install ${program}`;
  if (path === null && isCi) throw new Error(advice);
  process.stdout.write(`${path ?? `${advice}; until then its tests are left out`}\n`);
}
