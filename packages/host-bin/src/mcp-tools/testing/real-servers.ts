export const everythingServer = Bun.resolveSync(
  "@modelcontextprotocol/server-everything/dist/index.js",
  import.meta.dir,
);
export const filesystemServer = Bun.resolveSync(
  "@modelcontextprotocol/server-filesystem/dist/index.js",
  import.meta.dir,
);
