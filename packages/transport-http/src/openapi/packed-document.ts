/** Runs only during bundling: generates the document from the source code of schemas and routes. */
import { join } from "node:path";

/** Returns the document as gzipped base64 of JSON. */
export function packedDocument(): string {
  const { stdout, stderr, success } = Bun.spawnSync([process.execPath, join(import.meta.dir, "print-document.ts")]);
  if (!success) throw new Error(`The OpenAPI document could not be generated:\n${stderr.toString()}`);
  return Bun.gzipSync(stdout.toString()).toBase64();
}
