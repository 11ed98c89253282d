import { expect, test } from "bun:test";
import { join } from "node:path";

test("mcp-tools loads the MCP library with the first server, not at host start", () => {
  const core = join(import.meta.dir, "../core-extensions.ts");
  const script = `await import(${JSON.stringify(core)}); console.log(JSON.stringify(Object.keys(require.cache)))`;

  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], { cwd: import.meta.dir });

  const loaded = stdout.toString();
  expect(loaded).toContain("extensions/mcp/src/extension.ts");
  expect(loaded).not.toContain("@modelcontextprotocol/");
});
