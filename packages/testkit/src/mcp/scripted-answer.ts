import * as z from "zod";
import { validMcpScript, type McpScript } from "./mcp-script.ts";

const requestSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ cursor: z.unknown().optional() }).optional(),
});

/** Returns the lines that a scripted server sends for what it is sent. @param line A request as JSON. */
export function scriptedAnswer(script: McpScript, line: string): readonly string[] {
  const { id, method, params } = requestSchema.parse(JSON.parse(line));
  if (id === undefined || method === undefined) return [];
  const { cursor } = params ?? {};
  const paged = cursor === undefined ? undefined : script[`${method} ${String(cursor)}`];
  const lines = paged ?? script[method] ?? validMcpScript[method] ?? [unknownMethod];
  return lines.map((one) => one.replaceAll("$id", String(id)));
}

const unknownMethod = '{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"Method not found"}}';
