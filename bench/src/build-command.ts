import { join } from "node:path";

const root = join(import.meta.dir, "../..");

export async function buildCommand(): Promise<readonly string[]> {
  const child = Bun.spawn([process.execPath, "run", "build"], { cwd: root, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`The command could not be built: ${said}`);
  return [join(root, "dist/incipit")];
}
