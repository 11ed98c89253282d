import { existsSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dir, "node_modules");

export function acpTool(path: string): string {
  const file = join(modules, path);
  if (existsSync(file)) return file;
  throw new Error('The tools are not installed; "bun run check" does it, or "bun run acp-tools"');
}
