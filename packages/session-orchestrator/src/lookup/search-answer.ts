import { callToolName, searchToolName } from "@incipit/schema";
import * as z from "zod";
import type { DeferredTool } from "./deferred-tool.ts";
import { inputProblem } from "./input-problem.ts";
import { defaultLimit, maxLimit, maxQueryLength, ownTools } from "./own-tools.ts";
import type { ToolIndex } from "./tool-index.ts";

/** Does not apply to the first tool. */
const maxAnswerBytes = 96 * 1024;

export const runHint = `Run one with ${callToolName}; ${searchToolName} runs nothing.`;

const queryRule = `"query" must have 1 to ${maxQueryLength} characters, such as "create issue", or "select:NAME1,NAME2"`;
const inputSchema = z.object({
  query: z.string(queryRule).trim().min(1, queryRule).max(maxQueryLength, queryRule),
  limit: z
    .int(`"limit" must be a whole number from 1 to ${maxLimit}`)
    .min(1, `"limit" must be a whole number from 1 to ${maxLimit}`)
    .max(maxLimit, `"limit" must be a whole number from 1 to ${maxLimit}`)
    .default(defaultLimit),
});

export type SearchAnswer =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "wrong"; readonly reason: string };

export function searchAnswer(
  index: ToolIndex,
  input: unknown,
  isUsable: (tool: DeferredTool) => boolean,
): SearchAnswer {
  const [, { inputSchema: schema }] = ownTools([]);
  const parsed = inputSchema.safeParse(input);
  const problem = inputProblem(input, schema) ?? parsed.error?.issues[0]?.message;
  if (!parsed.success || problem !== undefined) return { kind: "wrong", reason: problem ?? queryRule };
  const { query, limit } = parsed.data;
  if (query.startsWith("select:")) return selected(index, query.slice("select:".length), isUsable);
  const fitting = index.search(query).filter(isUsable);
  if (fitting.length === 0) {
    const text = `No tool fits ${JSON.stringify(query)}. Try other words, fewer of them, or the name of a server.`;
    return { kind: "found", text };
  }
  return { kind: "found", text: told(fitting.slice(0, limit), { all: fitting.length }) };
}

export function similarNames(
  index: ToolIndex,
  name: string,
  isUsable: (tool: DeferredTool) => boolean,
): readonly string[] {
  return index
    .search(name)
    .filter(isUsable)
    .slice(0, 3)
    .map(({ definition }) => definition.name);
}

function selected(index: ToolIndex, list: string, isUsable: (tool: DeferredTool) => boolean): SearchAnswer {
  const names = [...new Set(list.split(",").map((name) => name.trim()))].filter((name) => name !== "");
  if (names.length === 0)
    return { kind: "wrong", reason: 'name tools behind "select:", such as "select:NAME1,NAME2"' };
  if (names.length > maxLimit)
    return { kind: "wrong", reason: `"select:" takes at most ${maxLimit} names, and ${names.length} were given` };
  const found = names.flatMap((name) => index.find(name) ?? []).filter(isUsable);
  const missing = names.filter((name) => !found.some(({ definition }) => definition.name === name));
  const lines = missing.map((name) => {
    const similar = similarNames(index, name, isUsable);
    const like = similar.length === 0 ? "" : `; names like it: ${similar.join(", ")}`;
    return `No tool is named ${JSON.stringify(name)}${like}.`;
  });
  const text = [...(found.length === 0 ? [] : [told(found, { all: found.length })]), ...lines].join("\n");
  return { kind: "found", text };
}

function told(tools: readonly DeferredTool[], { all }: { readonly all: number }): string {
  const lines: string[] = [];
  let sizeBytes = 0;
  for (const { definition, server } of tools) {
    const { name, description, inputSchema: schema } = definition;
    const line = JSON.stringify({ name, server, description, inputSchema: schema });
    sizeBytes += Buffer.byteLength(line);
    if (lines.length > 0 && sizeBytes > maxAnswerBytes) break;
    lines.push(line);
  }
  const left = all - lines.length;
  const more =
    left === 0
      ? "No other tool fits."
      : `${left} more ${left === 1 ? "fits" : "fit"}: say it more precisely, ask for more (limit, up to ${maxLimit}), or name some (select:NAME1,NAME2).`;
  return [...lines, more, runHint].join("\n");
}
