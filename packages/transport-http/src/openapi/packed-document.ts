/** Runs only during bundling. */
import { join } from "node:path";

export function packedDocument(): string {
  const { stdout, stderr, success } = Bun.spawnSync([process.execPath, join(import.meta.dir, "print-document.ts")]);
  if (!success) throw new Error(`The OpenAPI document could not be generated:\n${stderr.toString()}`);
  return Bun.gzipSync(stdout.toString()).toBase64();
}
