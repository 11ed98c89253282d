import type { Contribution } from "@incipit/kernel";
import type { Tool, ToolDefinition, ToolSource } from "@incipit/service-contract";
import type { OrchestratorContext } from "./context.ts";
import * as z from "zod";
import { settle } from "./next-event.ts";
import type { Settings } from "./settings.ts";
import { toolDefinitionSchema, toolListOf, type ToolList } from "./tool-list.ts";

export interface AskOptions {
  readonly conversationId: string;
  readonly cwd: string;
  /** Longest wait for one source; all are asked at once. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type ToolContext = Pick<OrchestratorContext, "tools" | "toolSources" | "clock" | "settings">;

/** A source of another's may be plain JavaScript. Gives back the very tools. */
const answerSchema = z.object({
  tools: z.array(z.custom<Tool>((value) => typeof value === "object" && value !== null)),
  problems: z.array(z.string()),
});

interface Answer {
  /** Who has the tools, in words. */
  readonly owner: string;
  readonly tools: readonly Tool[];
  readonly problems: readonly string[];
}

/** The tools that there are at this moment as one list, and what is not in it and why. Never rejects. */
export async function liveToolList(
  context: ToolContext,
  options: AskOptions,
): Promise<{ readonly list: ToolList; readonly problems: string[] }> {
  const contributed = context.tools.current.map(({ extension, value }): Answer => ({
    owner: `extension "${extension}"`,
    tools: [value],
    problems: [],
  }));
  const asked = await Promise.all(context.toolSources.current.map((source) => ask(source, context, options)));
  const problems: string[] = [];
  const found = new Map<string, { readonly owner: string; readonly text: string }>();
  for (const { owner, tools, problems: reported } of [...contributed, ...asked]) {
    problems.push(...reported);
    for (const tool of tools) {
      const definition = definitionText(tool);
      const first = found.get(tool.name);
      if (definition.kind === "wrong") problems.push(`The tool "${tool.name}" of ${owner} ${definition.reason}`);
      else if (first !== undefined)
        problems.push(`The tool "${tool.name}" of ${owner} is left out: ${first.owner} has one of that name`);
      else found.set(tool.name, { owner, text: definition.text });
    }
  }
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { list: toolListOf(`[${sorted.map(([, { text }]) => text).join(",")}]`), problems };
}

/** The tool of this name that there is at this moment; without one, what the sources say of what is missing. Never rejects. */
export async function findLiveTool(
  name: string,
  context: ToolContext,
  options: AskOptions,
): Promise<{ readonly tool: Tool | undefined; readonly problems: readonly string[] }> {
  const isIt = (tool: Tool): boolean => tool.name === name;
  const contributed = context.tools.current.map(({ value }) => value).find(isIt);
  if (contributed !== undefined) return { tool: contributed, problems: [] };
  const problems: string[] = [];
  // All are asked at once, and the first in their order counts, as it did when the list was made.
  for (const asked of context.toolSources.current.map((source) => ask(source, context, options))) {
    const answer = await asked;
    const tool = answer.tools.find(isIt);
    if (tool !== undefined) return { tool, problems: [] };
    problems.push(...answer.problems);
  }
  return { tool: undefined, problems };
}

async function ask(
  { trust, value: source }: Contribution<ToolSource>,
  { clock, settings }: ToolContext,
  options: AskOptions,
): Promise<Answer> {
  const { conversationId, cwd, timeoutMs, signal } = options;
  const owner = `tool source "${source.id}"`;
  const without = (reason: string): Answer => ({
    owner,
    tools: [],
    problems: [`The tools of ${owner}: ${reason}`],
  });
  const ended = new AbortController();
  const asked = async (): ReturnType<ToolSource["tools"]> =>
    source.tools({ conversationId, cwd, signal: AbortSignal.any([signal, ended.signal]) });
  try {
    const answer = await settle(asked(), { timeoutMs, clock, signal });
    if (answer.kind === "value") {
      const { data } = answerSchema.safeParse(answer.value);
      if (data === undefined) return without("its answer is no list of tools and problems");
      return trust === "core" ? { owner, ...data } : withoutReserved({ owner, ...data }, settings);
    }
    return without(answer.kind === "timeout" ? `no answer within ${timeoutMs / 1_000} s` : "nobody waits any more");
  } catch (error) {
    return without(error instanceof Error ? error.message : String(error));
  } finally {
    ended.abort();
  }
}

/** A name that a person may have allowed for good stays with whom they allowed it. */
function withoutReserved(
  { owner, tools, problems }: Answer,
  { reservedTools }: Pick<Settings, "reservedTools">,
): Answer {
  const { names, prefixes } = reservedTools;
  const isReserved = ({ name }: Tool): boolean =>
    names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix));
  const given = tools.map(asGiven);
  const refused = given.filter(isReserved);
  const reasons = refused.map(
    ({ name }) => `The tool "${name}" of ${owner} is left out: that name is of a tool of the host's own`,
  );
  return { owner, tools: given.filter((tool) => !refused.includes(tool)), problems: [...problems, ...reasons] };
}

/** Under the name that it was judged by, also when it would give another one a moment later. */
function asGiven(tool: Tool): Tool {
  const { name, description, inputSchema, isReadOnly, approval } = tool;
  return {
    name,
    description,
    inputSchema,
    ...(isReadOnly === undefined ? {} : { isReadOnly }),
    ...(approval === undefined ? {} : { approval }),
    execute: async (input, context) => tool.execute(input, context),
    ...(tool.mustAsk === undefined ? {} : { mustAsk: async (input, context) => tool.mustAsk?.(input, context) }),
    ...(tool.preview === undefined
      ? {}
      : { preview: async (input, context) => tool.preview?.(input, context) ?? "" }),
  };
}

/** What an extension gives may be no JSON, or nothing that a vendor takes: one such tool would spoil each request. */
function definitionText({
  name,
  description,
  inputSchema,
}: ToolDefinition):
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "wrong"; readonly reason: string } {
  try {
    const text = JSON.stringify({ name, description, inputSchema });
    const parsed = toolDefinitionSchema.safeParse(JSON.parse(text));
    if (parsed.success) return { kind: "text", text };
    const [issue] = parsed.error.issues;
    return {
      kind: "wrong",
      reason: `is left out: its ${String(issue?.path[0] ?? "definition")} ${issue?.message}`,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "wrong", reason: `is left out: it is no JSON: ${reason}` };
  }
}
