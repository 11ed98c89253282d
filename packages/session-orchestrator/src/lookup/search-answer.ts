import {
  callToolName,
  searchToolName,
  type DeferredServer,
  type ToolDefinition,
  lazySchema,
} from "@incipit/schema";
import type { DeferredTool, ToolIndex } from "./tool-index.ts";
import { inputProblem } from "./input-problem.ts";
import { parseJson } from "@incipit/kernel";
import * as z from "zod";

const defaultLimit = 5;
const maxLimit = 20;
const maxQueryLength = 1_000;
const maxNamed = 100;

/** Does not apply to the first tool. */
const maxAnswerBytes = 96 * 1024;

const runHint = `Run one with ${callToolName}; ${searchToolName} runs nothing.`;

const queryRule = `"query" must have 1 to ${maxQueryLength} characters, such as "create issue", or "select:NAME1,NAME2"`;
const inputSchema = z.object({
  query: z.string(queryRule).trim().min(1, queryRule).max(maxQueryLength, queryRule),
  limit: z
    .int(`"limit" must be a whole number from 1 to ${maxLimit}`)
    .min(1, `"limit" must be a whole number from 1 to ${maxLimit}`)
    .max(maxLimit, `"limit" must be a whole number from 1 to ${maxLimit}`)
    .default(defaultLimit),
});

type SearchAnswer =
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

export function ownTools(servers: readonly DeferredServer[]): readonly [ToolDefinition, ToolDefinition] {
  const count = servers.reduce((sum, { count: of }) => sum + of, 0);
  const named = servers.slice(0, maxNamed).map(({ server, count: of }) => `${server} (${of})`);
  const more = servers.length - named.length;
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return [
    {
      name: callToolName,
      description: `Runs a tool that ${searchToolName} has found, as if it were one of your own.`,
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: `The tool's name, as ${searchToolName} gives it` },
          input: { type: "object", description: "What the tool takes, as its inputSchema says" },
        },
        required: ["name", "input"],
        additionalProperties: false,
      },
    },
    {
      name: searchToolName,
      description: `Finds tools beyond those that you are told of here. There are ${count}, of these servers: ${all}. Look here before you say that something cannot be done. You get the name, description and inputSchema of the tools that fit best. What has become one of your own tools by that is called by its name; run any other with ${callToolName}.`,
      inputSchema: {
        type: "object",
        properties: {
          query: {
            type: "string",
            description:
              "Words of what the tool should do, such as: create issue. Or select:NAME1,NAME2 for tools whose names you know",
          },
          limit: {
            type: "integer",
            description: `How many to give at most, 1 to ${maxLimit}; ${defaultLimit} if absent. More may fit`,
          },
        },
        required: ["query"],
        additionalProperties: false,
      },
    },
  ];
}

export interface FoundInResult {
  readonly names: readonly string[];
  readonly more: string;
}

const toolSchema = lazySchema(() => z.object({ name: z.string() }));

/**
 * The stored result is the only record of a search. `undefined` for a truncated, edited or different text, which is
 * sent as text.
 */
export function foundInResult(output: string): FoundInResult | undefined {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => !line.startsWith("{"));
  const [more, last, ...others] = lines.slice(first);
  if (first < 1 || more === undefined || last !== runHint || others.length > 0) return undefined;
  const names = lines.slice(0, first).map(nameIn);
  return names.every((name) => name !== undefined) ? { names: [...new Set(names)], more } : undefined;
}

function nameIn(line: string): string | undefined {
  try {
    return toolSchema.safeParse(parseJson(line)).data?.name;
  } catch {
    return undefined;
  }
}
