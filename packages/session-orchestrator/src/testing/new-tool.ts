import type { Tool } from "@incipit/service-contract";

/** A tool that records its inputs. */
export function newTool(name: string, options: Partial<Tool> = {}): Tool & { readonly runs: unknown[] } {
  const runs: unknown[] = [];
  const execute: Tool["execute"] = async (given) => `ran ${runs.push(given)}`;
  return { name, description: name, inputSchema: { type: "object" }, execute, runs, ...options };
}

/** A tool that runs without approval. */
export function allowedTool(name: string, execute?: Tool["execute"], options: Partial<Tool> = {}): Tool {
  return newTool(name, { approval: "allow", ...(execute === undefined ? {} : { execute }), ...options });
}
