import { mkdtemp, mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const installTimeoutMs = 300_000;

/**
 * Installs an npm package without its install scripts into a cache outside of the repository. @throws with npm's error.
 */
export async function installPackage(name: string, version: string): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "incipit-bench");
  const folder = join(cache, `${name.replaceAll("/", "-")}-${version}`);
  if (await Bun.file(join(folder, "package.json")).exists()) return folder;
  const npm = Bun.which("npm");
  if (npm === null) throw new Error("there is no npm to install it");
  await mkdir(cache, { recursive: true });
  // A partial installation is never reused.
  const partial = await mkdtemp(join(cache, "partial-"));
  try {
    const flags = ["--prefix", partial, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
    const child = Bun.spawn([npm, "install", ...flags, `${name}@${version}`], {
      cwd: partial,
      stdout: "ignore",
      stderr: "pipe",
      timeout: installTimeoutMs,
    });
    const said = await new Response(child.stderr).text();
    if ((await child.exited) !== 0)
      throw new Error(`npm cannot install it: ${said.trim().split("\n")[0] ?? "it took too long"}`);
    await rename(partial, folder);
    return folder;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
