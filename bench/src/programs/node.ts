import { existsSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./install-package.ts";

const version = "22.23.5";

/**
 * Returns the Node with which another program is started: one from npm on Linux, so that the machine's own may be older.
 * @throws with npm's reason when it cannot be installed, or when there is none elsewhere.
 */
export async function installNode(): Promise<string> {
  if (process.platform !== "linux") {
    const own = Bun.which("node");
    if (own === null) throw new Error("there is no node to run it");
    return own;
  }
  const name = `node-linux-${process.arch}`;
  const node = join(await installPackage(name, version), "node_modules", name, "bin/node");
  if (!existsSync(node)) throw new Error(`${name} ${version} has no bin/node`);
  return node;
}
