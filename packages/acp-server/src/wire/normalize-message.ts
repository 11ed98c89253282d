import * as z from "zod";

type Members = Readonly<Record<string, unknown>>;

const membersSchema = z.looseObject({});
const pairsSchema = z
  .record(z.string(), z.unknown())
  .transform((table) => Object.entries(table).map(([name, value]) => ({ name, value })));
/** Supported by the host or not. */
const serverKinds = new Set(["stdio", "http", "sse", "acp"]);
const blockKinds = new Set(["text", "image", "audio", "resource_link", "resource"]);

/**
 * The library rejects the remaining errors, as it tells requests from notifications. @param log For dropped MCP
 * servers.
 */
export function normalizeMessage(message: Members, log: (line: string) => void): Members {
  const { method, params } = message;
  // The library ignores messages without the JSON-RPC version.
  const versioned = { ...message, jsonrpc: "2.0" };
  const members = membersSchema.safeParse(params).data;
  if (members === undefined) return versioned;
  switch (method) {
    case "initialize":
      return { ...versioned, params: mendedHello(members) };
    case "session/new":
    case "session/load":
    case "session/resume":
    case "session/fork":
      return { ...versioned, params: { ...members, mcpServers: mendedServers(members["mcpServers"], log) } };
    case "session/prompt":
      return { ...versioned, params: { ...members, prompt: mendedBlocks(members["prompt"]) } };
    default:
      return versioned;
  }
}

/** Repairs an `initialize` request; a missing version becomes 1. */
function mendedHello(members: Members): Members {
  const { protocolVersion } = members;
  const isDigits = typeof protocolVersion === "string" && /^\d{1,4}$/.test(protocolVersion);
  return { ...members, protocolVersion: isDigits ? Number(protocolVersion) : (protocolVersion ?? 1) };
}

function mendedServers(servers: unknown, log: (line: string) => void): unknown {
  if (servers === undefined || servers === null) return [];
  if (!Array.isArray(servers)) return servers;
  return servers.flatMap((server: unknown) => {
    const members = membersSchema.safeParse(server).data;
    if (members === undefined) return [server];
    const { type, name } = members;
    if (typeof type === "string" && !serverKinds.has(type) && members["command"] === undefined) {
      log(
        `The MCP server ${quoted(name)} was skipped: its type ${quoted(type)} is not supported; supported types are stdio and http`,
      );
      return [];
    }
    const { args, env, headers, ...others } = members;
    return [
      members["command"] === undefined
        ? { ...members, headers: mendedPairs(headers) }
        : { ...others, args: args ?? [], env: mendedPairs(env) },
    ];
  });
}

function quoted(text: unknown): string {
  return JSON.stringify(typeof text === "string" ? text.slice(0, 100) : null);
}

function mendedPairs(pairs: unknown): unknown {
  return pairs === undefined || pairs === null ? [] : (pairsSchema.safeParse(pairs).data ?? pairs);
}

/** Unless no block has a known type. */
function mendedBlocks(blocks: unknown): unknown {
  if (!Array.isArray(blocks)) return blocks;
  const mended = blocks.map(mendedBlock);
  if (!mended.some(isKnown)) return mended;
  return mended.map((block) => (isKnown(block) ? block : { type: "text", text: blockLine(block) }));
}

function mendedBlock(block: unknown): unknown {
  if (typeof block === "string") return { type: "text", text: block };
  const members = membersSchema.safeParse(block).data;
  if (members === undefined) return block;
  const { type, text, name, uri } = members;
  if (type === "resource_link") return { ...members, name: name ?? uri };
  return (type ?? undefined) === undefined && typeof text === "string" ? { ...members, type: "text" } : block;
}

function isKnown(block: unknown): boolean {
  const kind = membersSchema.safeParse(block).data?.["type"];
  return typeof kind === "string" && blockKinds.has(kind);
}

function blockLine(block: unknown): string {
  const kind = membersSchema.safeParse(block).data?.["type"];
  return `[content of the type ${JSON.stringify(kind ?? null)}] ${JSON.stringify(block)}`;
}
