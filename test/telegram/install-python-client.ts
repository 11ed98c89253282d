import { installedVersion, missingClient, pythonClient } from "./python-client.ts";

async function run(...command: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await Bun.spawn([...command], { env, stdin: "ignore", stdout: "ignore", stderr: "inherit" }).exited;
}

const mayInstall = Bun.which("apt-get") !== null && process.getuid?.() === 0;
if (mayInstall && installedVersion() === undefined) {
  await run("apt-get", "update", "-qq");
  await run("apt-get", "install", "-y", "-qq", "--no-install-recommends", pythonClient.package);
}
const missing = missingClient();
if (missing === undefined) process.stdout.write(`${pythonClient.package} ${pythonClient.version}\n`);
else {
  const message = `${missing}: its test is skipped`;
  if (process.env["CI"] === "true") throw new Error(message);
  process.stdout.write(`${message}\n`);
}
