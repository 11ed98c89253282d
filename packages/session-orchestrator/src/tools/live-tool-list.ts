import { sha256Hex } from "@incipit/common";
import { errorMessage, type Contribution } from "@incipit/kernel";
import {
  callToolName,
  isToolAllowed,
  lazySchema,
  searchToolName,
  type Requester,
  type ToolDefinition,
} from "@incipit/schema";
import type { Tool, ToolSource } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { settle } from "../waits/settle.ts";
import type { Settings } from "../context/configuration.ts";
import { mayUse, type ToolRules, type ToolsQuery } from "./tool-rules.ts";
import { splitTools, type FoundTool } from "../lookup/split-tools.ts";
import { ownTools } from "../lookup/search-answer.ts";
import type { DeferredTool } from "../lookup/tool-index.ts";
import { deferredText, parseDeferredTools } from "../store/deferred-tools.ts";
import { dividedText, toolDefinitionSchema, toolListOf, type ToolList } from "../store/tool-list.ts";
import * as z from "zod";

export interface AskOptions extends ToolsQuery {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const maxReasonLength = 500;

type ToolContext = Pick<OrchestratorContext, "tools" | "toolSources" | "clock" | "settings">;

/** Third-party sources may return any value. Returns the original tool objects. */
const answerSchema = lazySchema(() =>
  z.object({
    tools: z.array(z.custom<Tool>((value) => typeof value === "object" && value !== null)),
    problems: z.array(z.string()),
    servers: z.array(z.string()).default([]),
  }),
);

interface LiveTool {
  readonly tool: Tool;
  readonly owner: Requester;
}

interface Answer {
  readonly owner: string;
  /** Its tools are deferred as one group; `undefined`: grouped by server. */
  readonly group: string | undefined;
  readonly tools: readonly Tool[];
  readonly problems: readonly string[];
  readonly servers: readonly string[] | undefined;
}

export interface LiveToolList {
  readonly list: ToolList;
  readonly deferred: readonly DeferredTool[];
  readonly deferredText: string;
  readonly problems: string[];
}

/** Never rejects. */
export async function liveToolList(context: ToolContext, options: AskOptions): Promise<LiveToolList> {
  const { rules } = options;
  const contributed = context.tools.current.map(({ extension, trust, value }): Answer => ({
    owner: `extension "${extension}"`,
    group: trust === "core" ? undefined : extension,
    tools: [value],
    problems: [],
    servers: [],
  }));
  const asked = await Promise.all(context.toolSources.current.map((source) => ask(source, context, options)));
  const problems: string[] = [];
  const found = new Map<string, FoundTool & { readonly owner: string }>();
  for (const { owner, group, tools, problems: reported } of [...contributed, ...asked]) {
    problems.push(...reported);
    for (const tool of tools) {
      const { name } = tool;
      if (!mayUse(rules, name)) continue;
      const definition = definitionText(tool);
      const first = found.get(name);
      if (definition.kind === "wrong") problems.push(`The tool "${name}" of ${owner} ${definition.reason}`);
      else if (ownNames.has(name))
        problems.push(`The tool "${name}" of ${owner} is omitted: a built-in tool has that name`);
      else if (first !== undefined)
        problems.push(`The tool "${name}" of ${owner} is omitted: ${first.owner} has a tool of that name`);
      else
        found.set(name, {
          name,
          owner,
          text: definition.text,
          server: group ?? tool.server?.name,
          defer: group === undefined ? tool.server?.defer : undefined,
        });
    }
  }
  for (const entry of rules.allowed ?? [])
    if (!isThere(entry, rules, found)) problems.push(`No tool is "${entry}", which this conversation may use`);
  problems.push(...missingServers(rules, asked));
  return { problems, ...asList(found, context, { rules, problems }) };
}

/** Names of the host's own tools for tool search, reserved even without deferred tools. */
const ownNames: ReadonlySet<string> = new Set([searchToolName, callToolName]);

function isThere(entry: string, { denied }: ToolRules, found: ReadonlyMap<string, FoundTool>): boolean {
  if (ownNames.has(entry) || isToolAllowed(denied, entry)) return true;
  return [...found.keys()].some((name) => isToolAllowed([entry], name));
}

function asList(
  found: ReadonlyMap<string, FoundTool>,
  { settings }: ToolContext,
  { rules, problems }: { readonly rules: ToolRules; readonly problems: string[] },
): Pick<LiveToolList, "list" | "deferred" | "deferredText"> {
  const sorted = [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const divided = splitTools(sorted, settings.shownTools);
  problems.push(...divided.problems);
  const { shown, servers } = divided;
  if (divided.deferred.length === 0)
    return { list: toolListOf(asJson(shown.map(({ text }) => text))), deferred: [], deferredText: "" };
  const refused = [...ownNames].find((name) => isToolAllowed(rules.denied, name));
  if (refused !== undefined) {
    const names = servers.map(({ server, count }) => `"${server}" (${count})`).join(", ");
    problems.push(
      `Tools of ${names} are omitted: they need tool search, and this conversation may not use "${refused}"`,
    );
    return { list: toolListOf(asJson(shown.map(({ text }) => text))), deferred: [], deferredText: "" };
  }
  const text = asJson(divided.deferred.map((tool) => deferredText(tool.server, tool.text)));
  const own = ownTools(servers).map((tool) => ({ name: tool.name, text: JSON.stringify(tool) }));
  const named = [...shown, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const tools = asJson(named.map((tool) => tool.text));
  return {
    list: toolListOf(dividedText(tools, { sha256: sha256Hex(text), servers })),
    deferred: parseDeferredTools(text),
    deferredText: text,
  };
}

function asJson(texts: readonly string[]): string {
  return `[${texts.join(",")}]`;
}

/** Never rejects. */
export async function findLiveTool(
  name: string,
  context: ToolContext,
  options: AskOptions,
): Promise<{ readonly found: LiveTool | undefined; readonly problems: readonly string[] }> {
  const contributed = context.tools.current.find(({ value }) => value.name === name);
  if (contributed !== undefined)
    return { found: { tool: contributed.value, owner: ownerOf(contributed, contributed.value) }, problems: [] };
  const problems: string[] = [];
  // Sources are queried concurrently; the first in order wins, as in the list.
  const asked = context.toolSources.current.map((source) => ({
    source,
    answer: ask(source, context, { ...options, call: name }),
  }));
  for (const { source, answer } of asked) {
    const { tools, problems: reported } = await answer;
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool !== undefined) return { found: { tool, owner: ownerOf(source, tool, source.value.id) }, problems: [] };
    problems.push(...reported);
  }
  return { found: undefined, problems };
}

/** Configured MCP servers that no source has. Empty while a source did not report its servers. */
function missingServers({ given: { mcpServers = [] } }: ToolRules, asked: readonly Answer[]): readonly string[] {
  if (asked.some(({ servers }) => servers === undefined)) return [];
  const there = new Set(asked.flatMap(({ servers = [] }) => servers));
  return mcpServers
    .filter((name) => !there.has(name))
    .map((name) => `No MCP server is named "${name}", though this conversation's agent has its tools`);
}

/** Server names from added extensions are not trusted. */
function ownerOf({ extension, trust }: Contribution<unknown>, { name, server }: Tool, source?: string): Requester {
  const own = { extension, ...(source === undefined ? {} : { name: source }) };
  if (trust !== "core") return { kind: "extension", ...own };
  if (server === undefined || !name.startsWith(`${server.name}__`)) return { kind: "host", ...own };
  const { isClients, name: serverName, identity } = server;
  return {
    kind: isClients === true ? "client-server" : "server",
    extension,
    name: serverName,
    ...(identity === undefined ? {} : { identity }),
  };
}

async function ask(
  { extension, trust, value: source }: Contribution<ToolSource>,
  { clock, settings }: ToolContext,
  options: AskOptions & { readonly call?: string },
): Promise<Answer> {
  const { conversationId, cwd, isImported, rules, call, timeoutMs, signal } = options;
  const owner = `tool source "${source.id}"`;
  const group = trust === "core" ? undefined : extension;
  const without = (reason: string): Answer => ({
    owner,
    group,
    tools: [],
    problems: [`The tools of ${owner} are missing: ${reason}`],
    servers: undefined,
  });
  const ended = new AbortController();
  const asked = async (): ReturnType<ToolSource["tools"]> =>
    source.tools({
      conversationId,
      cwd,
      ...(isImported ? { isImported } : {}),
      ...rules.given,
      ...(call === undefined ? {} : { call }),
      signal: AbortSignal.any([signal, ended.signal]),
    });
  try {
    const answer = await settle(asked(), { timeoutMs, clock, signal });
    if (answer.kind === "value") {
      const { data } = answerSchema.safeParse(answer.value);
      if (data === undefined) return without("its answer is not a list of tools and problems");
      return trust === "core" ? { owner, group, ...data } : withoutReserved({ owner, group, ...data }, settings);
    }
    return without(answer.kind === "timeout" ? `no answer within ${timeoutMs / 1_000} s` : "nobody waits any more");
  } catch (error) {
    return without(errorMessage(error).slice(0, maxReasonLength));
  } finally {
    ended.abort();
  }
}

/** A reserved name, which may have permanent approvals, belongs to its owner only. */
function withoutReserved(
  { owner, group, tools, problems, servers }: Answer,
  { reservedTools }: Pick<Settings, "reservedTools">,
): Answer {
  const { names, prefixes } = reservedTools;
  const isReserved = ({ name }: Tool): boolean =>
    names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix));
  const given = tools.map(asGiven);
  const refused = given.filter(isReserved);
  const reasons = refused.map(
    ({ name }) => `The tool "${name}" of ${owner} is omitted: a built-in tool has that name`,
  );
  return {
    owner,
    group,
    tools: given.filter((tool) => !refused.includes(tool)),
    problems: [...problems, ...reasons],
    servers,
  };
}

/** Freezes the checked name, which a getter could change later. */
function asGiven(tool: Tool): Tool {
  const { name, description, inputSchema, isReadOnly, approval, timeoutMs } = tool;
  return {
    name,
    description,
    inputSchema,
    ...(isReadOnly === undefined ? {} : { isReadOnly }),
    ...(approval === undefined ? {} : { approval }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    execute: async (input, context) => tool.execute(input, context),
    ...(tool.mustAsk === undefined ? {} : { mustAsk: async (input, context) => tool.mustAsk?.(input, context) }),
    ...(tool.preview === undefined
      ? {}
      : { preview: async (input, context) => tool.preview?.(input, context) ?? "" }),
  };
}

/** An extension's definition may be invalid JSON or unacceptable to vendors, which would break every request. */
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
    const reason = errorMessage(error).slice(0, maxReasonLength);
    return { kind: "wrong", reason: `is left out: it is not JSON: ${reason}` };
  }
}
