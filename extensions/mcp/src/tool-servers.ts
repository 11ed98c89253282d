import { errorMessage } from "@incipit/kernel";
import { Redactor } from "@incipit/redaction";
import { ServiceError, type ToolServer, type ToolServers } from "@incipit/service-contract";
import type { ConfiguredServer } from "./configured-server.ts";
import { ServerFailure } from "./server-failure.ts";
import type { SignIn } from "./sign-in.ts";
import { folderOf } from "./tool-source.ts";

export function toolServers(servers: readonly ConfiguredServer[], folder: string): ToolServers {
  let byShape: Promise<Redactor> | undefined;
  const shown = async (server: ConfiguredServer): Promise<ToolServer> => {
    // Someone may have entered a key instead of a variable's name.
    const redactor = await (byShape ??= Redactor.create({ secrets: [], patterns: [] }));
    const state = server.state();
    return { ...state, target: redactor.redact(state.target) };
  };
  const find = (name: string): ConfiguredServer => {
    const server = servers.find((one) => one.name === name);
    if (server !== undefined) return server;
    const message = `Unknown MCP server ${JSON.stringify(name)}; add it under [mcp.servers] in the configuration`;
    throw new ServiceError("TOOL_SERVER_UNKNOWN", message);
  };
  return {
    list: () => Promise.all(servers.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(shown)),
    async start(name, { signal }) {
      const server = find(name);
      await server.tools(folder, signal, { isAnew: true });
      return shown(server);
    },
    async resources(name, { signal }) {
      return find(name).resources(folder, signal);
    },
    async readResource(name, uri, { signal, place }) {
      const server = find(name);
      return server.readResource(place === undefined ? folder : folderOf(place, folder), uri, { signal });
    },
    beginSignIn: (name, { redirectUrl }) => toServiceError(find(name), (signIn) => signIn.begin(redirectUrl)),
    async finishSignIn(name, { address, signal }) {
      const server = find(name);
      await toServiceError(server, (signIn) => signIn.finish(new URL(address)));
      await server.reset();
      await server.tools(folder, signal);
      return shown(server);
    },
    async signOut(name) {
      const server = find(name);
      await toServiceError(server, (signIn) => signIn.forget());
      await server.reset();
      return shown(server);
    },
  };
}

async function toServiceError<Value>(
  server: ConfiguredServer,
  act: (signIn: SignIn) => Promise<Value>,
): Promise<Value> {
  const signIn = await server.signIn();
  if (signIn === undefined)
    throw failed(server, 'does not use a sign-in; set "oauth = true" in its table of the configuration');
  try {
    return await act(signIn);
  } catch (cause) {
    const why =
      cause instanceof ServerFailure ? cause.message : `could not be signed in to: ${errorMessage(cause)}`;
    throw failed(server, why, cause);
  }
}

function failed(server: ConfiguredServer, why: string, cause?: unknown): ServiceError {
  const message = `The MCP server "${server.name}" ${server.redact(why)}`;
  return new ServiceError("SIGN_IN_FAILED", message, cause === undefined ? {} : { cause });
}
