import { existsSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./install-package.ts";

const version = "22.23.5";

/**
 * From npm on Linux, where the machine's own may be older. @throws with npm's error, or when other systems have none.
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
