import type { Tool } from "@incipit/service-contract";

export function newTool(name: string, options: Partial<Tool> = {}): Tool & { readonly runs: unknown[] } {
  const runs: unknown[] = [];
  const execute: Tool["execute"] = async (given) => `ran ${runs.push(given)}`;
  return { name, description: name, inputSchema: { type: "object" }, execute, runs, ...options };
}
