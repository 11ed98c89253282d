import { approvalWords } from "@incipit/cli-text";
import { suggestion } from "@incipit/common/suggestion";
import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import {
  ApiClientError,
  routes,
  type Client,
  type RouteAnswer,
  type ToolServerInfo,
} from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { filled } from "../output/fitted.ts";
import type { Output } from "../output/output.ts";
import { login } from "./login.ts";

const maxDescription = 70;

const actions = ["list", "test", "resources", "add", "import", "login", "logout"] as const;

export async function mcp(client: Client, args: Arguments, output: Output): Promise<number> {
  const [action = "list", name, stray] = args.words;
  if (!actions.some((known) => known === action))
    throw new UsageError(`There is no "mcp ${action}"${suggestion(action, actions)}`);
  const extra = action === "list" ? name : stray;
  if (extra !== undefined) throw new UsageError(`"mcp ${action}" takes no "${extra}"`);
  if (action === "list") return listed(await client.call(routes.listToolServers), args, output);
  if (action === "resources") return resources(client, { name, args, output });
  if (name === undefined) throw new UsageError(`"mcp ${action}" needs a name; write: incipit mcp ${action} NAME`);
  if (action === "login") return tested(await login(client, name, output), args, output);
  if (action === "logout") {
    await client.call(routes.signOutOfToolServer, { params: { name } });
    output.errLine(`The host has forgotten its sign-in to "${escapeHiddenLine(name)}"`);
    return 0;
  }
  const { server } = await client.call(routes.startToolServer, { params: { name } });
  return tested(server, args, output);
}

/** In the form used in messages. A failed server does not hide resources of others. */
async function resources(
  client: Client,
  { name, args, output }: { readonly name: string | undefined; readonly args: Arguments; readonly output: Output },
): Promise<number> {
  const known = name === undefined ? (await client.call(routes.listToolServers)).servers : [{ name }];
  let exitCode = 0;
  let count = 0;
  for (const server of known) {
    try {
      const found = await client.call(routes.listResources, { params: { name: server.name } });
      for (const resource of found.resources) {
        count += 1;
        if (args.isJson) output.outLine(JSON.stringify({ server: server.name, ...resource }));
        else output.outRow(resourceLine(server.name, resource));
      }
      for (const problem of found.problems) output.errLine(escapeHiddenLine(problem));
    } catch (error) {
      if (name !== undefined || !(error instanceof ApiClientError)) throw error;
      output.errLine(escapeHiddenLine(error.message));
      exitCode = 1;
    }
  }
  if (count === 0 && exitCode === 0 && !args.isJson)
    output.errLine("No MCP server that is configured has a resource");
  return exitCode;
}

function resourceLine(
  server: string,
  { uri, mediaType, description }: RouteAnswer<typeof routes.listResources>["resources"][number],
): string {
  const said = clippedLine(description ?? "", { maxCharacters: maxDescription });
  return `${filled(escapeHiddenLine(`@${server}:${uri}`), 48)}  ${escapeHiddenLine(mediaType ?? "").padEnd(16)}  ${said}`.trimEnd();
}

function listed(
  { servers }: { readonly servers: readonly ToolServerInfo[] },
  args: Arguments,
  output: Output,
): number {
  for (const server of servers) {
    const { name, state, target, tools, error, instructions } = server;
    if (args.isJson) {
      output.outLine(JSON.stringify(server));
      continue;
    }
    const count = tools === null ? "" : toolCount(tools.length);
    output.outRow(
      `${filled(escapeHiddenLine(name), 24)}  ${state.padEnd(8)}  ${count.padEnd(10)}  ${escapeHiddenLine(target)}`,
    );
    if (instructions !== null) output.outRow(`  ${instructionsLine(instructions)}`);
    if (error !== null) output.errLine(`  ${escapeHiddenLine(error)}`);
  }
  if (servers.length === 0 && !args.isJson)
    output.errLine("No MCP server is configured; to add one: incipit mcp add NAME -- PROGRAM …");
  return 0;
}

function instructionsLine(instructions: string): string {
  const [first = ""] = instructions.split("\n");
  const said = clippedLine(first, { maxCharacters: maxDescription });
  return `tells models, in ${Buffer.byteLength(instructions)} bytes: ${said}`;
}

function tested(server: ToolServerInfo, args: Arguments, output: Output): number {
  const { name, state, error, tools, problems, instructions } = server;
  const isRunning = state === "running";
  const exitCode = isRunning && tools !== null ? 0 : 1;
  if (args.isJson) {
    output.outLine(JSON.stringify(server));
    return exitCode;
  }
  for (const tool of tools ?? []) {
    const said = clippedLine(tool.description, { maxCharacters: maxDescription });
    output.outRow(
      `${filled(escapeHiddenLine(tool.name), 36)}  ${approvalWords[tool.approval].padEnd(12)}  ${said}`.trimEnd(),
    );
  }
  for (const problem of problems) output.errLine(`It ${escapeHiddenLine(problem)}`);
  if (instructions !== null) output.errLine(`It ${instructionsLine(instructions)}`);
  output.errLine(
    isRunning
      ? `The MCP server "${escapeHiddenLine(name)}" runs, with ${toolCount(tools?.length ?? 0)}`
      : `The MCP server "${escapeHiddenLine(name)}" ${escapeHiddenLine(error ?? `is ${state}`)}`,
  );
  return exitCode;
}

function toolCount(count: number): string {
  return count === 1 ? "1 tool" : `${count} tools`;
}
