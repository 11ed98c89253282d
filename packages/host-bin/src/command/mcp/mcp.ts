import { approvalWords } from "@incipit/cli-text";
import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import { ApiClientError, routes, type RouteAnswer, type ToolServerInfo } from "@incipit/transport-contract";
import type { OptionsOf } from "../registry/options.ts";
import type { Call } from "../registry/command.ts";
import { filled } from "../output/fitted.ts";
import type { Output } from "../output/output.ts";
import { login } from "./login.ts";

const maxDescription = 70;

export async function listServers({ args, output, host }: Call): Promise<void> {
  const { servers } = await (await host.client()).call(routes.listToolServers);
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
}

export async function testServer({ words: [name], args, output, host }: Call<[name: string]>): Promise<number> {
  const { server } = await (await host.client()).call(routes.startToolServer, { params: { name } });
  return tested(server, args, output);
}

export async function signInOrOut(call: Call<[action: "login" | "logout", name: string]>): Promise<number> {
  const { args, output, host } = call;
  const [action, name] = call.words;
  const client = await host.client();
  if (action === "login") return tested(await login(client, name, output), args, output);
  await client.call(routes.signOutOfToolServer, { params: { name } });
  output.errLine(`Signed out of "${escapeHiddenLine(name)}": the host has deleted its tokens`);
  return 0;
}

/** Prints each resource as a message names it: `@SERVER:ADDRESS`. Continues when a server fails. */
export async function listResources({ words: [name], args, output, host }: Call<[name?: string]>): Promise<number> {
  const client = await host.client();
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
  if (count === 0 && exitCode === 0 && !args.isJson) output.errLine("No configured MCP server has a resource");
  return exitCode;
}

function resourceLine(
  server: string,
  { uri, mediaType, description }: RouteAnswer<typeof routes.listResources>["resources"][number],
): string {
  const said = clippedLine(description ?? "", { maxCharacters: maxDescription });
  return `${filled(escapeHiddenLine(`@${server}:${uri}`), 48)}  ${escapeHiddenLine(mediaType ?? "").padEnd(16)}  ${said}`.trimEnd();
}

function instructionsLine(instructions: string): string {
  const [first = ""] = instructions.split("\n");
  const said = clippedLine(first, { maxCharacters: maxDescription });
  return `tells models, in ${Buffer.byteLength(instructions)} bytes: ${said}`;
}

function tested(server: ToolServerInfo, args: OptionsOf<"isJson">, output: Output): number {
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
