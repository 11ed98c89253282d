import { join } from "node:path";

const hostFolder = join(import.meta.dir, "../../packages/host-bin");

export const everythingServer = Bun.resolveSync(
  "@modelcontextprotocol/server-everything/dist/index.js",
  hostFolder,
);
export const filesystemServer = Bun.resolveSync(
  "@modelcontextprotocol/server-filesystem/dist/index.js",
  hostFolder,
);
export const fixtureServer = join(hostFolder, "src/mcp-tools/testing/mcp-fixture-server.ts");

/** The table of a server that is a program of Bun, with further lines. */
export function mcpServer(name: string, args: readonly (string | undefined)[], more = ""): string {
  const command = `command = ${JSON.stringify(process.execPath)}`;
  return `[mcp.servers.${name}]\n${command}\nargs = ${JSON.stringify(args)}\n${more}\n`;
}
