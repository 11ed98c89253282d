import { join } from "node:path";

const root = join(import.meta.dir, "../..");
let built: Promise<string> | undefined;

/** Built once per process unless the checks have built it. */
export async function builtCommand(): Promise<string> {
  return process.env["CHECK_BUILT"] ?? (await (built ??= build()));
}

async function build(): Promise<string> {
  const child = Bun.spawn([process.execPath, "run", "build"], { cwd: root, stdout: "ignore", stderr: "pipe" });
  const [stderr, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (exitCode !== 0) throw new Error(`bun run build failed:\n${stderr}`);
  return join(root, "dist/incipit");
}
