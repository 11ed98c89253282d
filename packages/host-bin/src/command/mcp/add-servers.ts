import { ConfigError } from "@incipit/host/configuration";
import { escapeHiddenLine } from "@incipit/schema/text";
import { readFile } from "node:fs/promises";
import { UsageError } from "../registry/usage-error.ts";
import type { OptionsOf } from "../registry/options.ts";
import type { Call } from "../registry/command.ts";
import type { HostAccess } from "../registry/host-access.ts";
import { GrowingFile, type OwnFile } from "../../config/growing-file.ts";
import type { Output } from "../output/output.ts";
import { decode } from "../arguments/decode-input.ts";
import { foreignServers, unusedMembers } from "./foreign-servers.ts";
import { writtenServer, type WrittenServer } from "./written-server.ts";

export async function addServer(
  call: Call<[name: string, target: string, ...string[]], "env" | "tokenEnv" | "isOauth">,
): Promise<void> {
  const { args, output, host } = call;
  const [name, target, ...rest] = call.words;
  const isUrl = /^https?:\/\//.test(target);
  if (isUrl && rest.length > 0)
    throw new UsageError(`A URL takes no "${rest[0] ?? ""}"; write: incipit mcp add NAME https://…`);
  if (isUrl && args.env.length > 0)
    throw new UsageError('"--env" is for a program; a URL takes "--token-env" or "--oauth"');
  if (!isUrl && (args.isOauth || args.tokenEnv !== undefined))
    throw new UsageError('"--oauth" and "--token-env" are for a URL; a program takes "--env"');
  const table = isUrl
    ? {
        url: target,
        ...(args.tokenEnv === undefined ? {} : { token_env: args.tokenEnv }),
        ...(args.isOauth ? { oauth: true } : {}),
      }
    : {
        command: target,
        ...(rest.length === 0 ? {} : { args: rest }),
        ...(args.env.length === 0 ? {} : { env: args.env }),
      };
  const file = new GrowingFile(await ownFile(host));
  const problem = added(file, name, { table, todo: [] });
  if (problem !== undefined) throw new Error(`The MCP server "${escapeHiddenLine(name)}" ${problem}`);
  file.write();
  told(
    {
      file: file.file,
      added: [{ name, todo: args.isOauth ? [`sign in: incipit mcp login ${name}`] : [] }],
      left: [],
    },
    args,
    output,
  );
}

export async function importServers(call: Call<[file: string, ...names: string[]]>): Promise<number> {
  const { args, output, host } = call;
  const [path, ...names] = call.words;
  const servers = foreignServers(decode(await readFile(path), `"${path}"`), path);
  const unknown = names.find((name) => !servers.has(name));
  if (unknown !== undefined)
    throw new UsageError(`"${path}" has no server "${unknown}"; it has ${[...servers.keys()].join(", ")}`);
  const file = new GrowingFile(await ownFile(host));
  const done: Added[] = [];
  const left: Left[] = [];
  for (const [foreign, server] of servers) {
    if (names.length > 0 && !names.includes(foreign)) continue;
    const name = nameOf(foreign);
    try {
      if (server === undefined) throw new Error("has another shape than a program or a URL");
      if (server.disabled === true || server.enabled === false) throw new Error("is turned off there");
      const written = writtenServer(name, server);
      const problem = added(file, name, written);
      if (problem !== undefined) throw new Error(problem);
      const unused = unusedMembers(server);
      const told = unused.length === 0 ? [] : [`not taken over: ${unused.map((one) => `"${one}"`).join(", ")}`];
      const isOld = [server["type"], server["transport"]].includes("sse");
      const old = isOld
        ? [
            'it has the old HTTP+SSE transport there, which is not spoken here: give "url" its address for streamable HTTP',
          ]
        : [];
      done.push({ name, todo: [...written.todo, ...old, ...told] });
    } catch (error) {
      left.push({ name: foreign, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  if (done.length > 0) file.write();
  told({ file: file.file, added: done, left }, args, output);
  return left.length === 0 ? 0 : 1;
}

async function ownFile(host: HostAccess): Promise<OwnFile> {
  const { configFile: file, dataFolder } = await host.load();
  return { file, dataFolder };
}

interface Added {
  readonly name: string;
  readonly todo: readonly string[];
}

interface Left {
  readonly name: string;
  readonly reason: string;
}

/** Adds a server, or returns why it could not: the predicate of a sentence about the server. */
function added(file: GrowingFile, name: string, { table }: WrittenServer): string | undefined {
  const path = ["mcp", "servers", name];
  if (file.has(path))
    return `is in "${file.file}" already, as [${path.join(".")}]; change it there, or choose another name`;
  try {
    file.add(path, table);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return `was not written, because the configuration would be wrong: ${error.message}`;
  }
}

function nameOf(foreign: string): string {
  return foreign
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/_{2,}/g, "_")
    .replace(/_+$/, "")
    .slice(0, 32);
}

function told(
  result: { readonly file: string; readonly added: readonly Added[]; readonly left: readonly Left[] },
  args: OptionsOf<"isJson">,
  output: Output,
): void {
  if (args.isJson) {
    output.outLine(JSON.stringify(result));
    return;
  }
  for (const { name, todo } of result.added) {
    output.outLine(escapeHiddenLine(name));
    for (const step of todo) output.errLine(`  ${escapeHiddenLine(step)}`);
  }
  for (const { name, reason } of result.left)
    output.errLine(`"${escapeHiddenLine(name)}" ${escapeHiddenLine(reason)}`);
  const [first] = result.added;
  if (first === undefined) return;
  output.errLine(`Written to ${escapeHiddenLine(result.file)}. A host that runs reads it when it starts again.`);
  output.errLine(`To see the tools: incipit mcp test ${escapeHiddenLine(first.name)}`);
}
