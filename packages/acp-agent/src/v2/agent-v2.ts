import {
  agent,
  assertSupportedMcpServers,
  McpServer,
  methods,
  PROTOCOL_VERSION,
  ReplayFrom,
  RequestError,
  type AgentApp,
  type AgentConnection,
  type InitializeResponse,
  type NewSessionRequest,
  type ResumeSessionRequest,
  type SessionConfigOption,
} from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { McpServer as PassedServer, SessionConfigOption as Option } from "@agentclientprotocol/sdk/unstable";
import type { AgentOptions } from "../session/agent-options.ts";
import { told } from "../host/told.ts";
import { Editor } from "../session/editor.ts";
import type { OpenRequest } from "../session/sessions.ts";
import { choiceOf, configOptionOf } from "./config-option.ts";
import { saidBlocks } from "./said-blocks.ts";
import { wireOf } from "./wire.ts";

const capabilities = {
  session: {
    // The host accepts files of any type; unsupported ones are rejected for each model.
    prompt: { image: {}, audio: {}, embeddedContext: {} },
    mcp: { stdio: {}, http: {} },
    delete: {},
    fork: {},
    systemPrompt: { mode: { override: {} } },
  },
} as const satisfies InitializeResponse["capabilities"];

/** Capabilities that editors of this version have without announcing them. */
const shownUnsaid = { compaction: {} };

/** Creates an ACP agent of protocol version 2, a draft. Behaves like version 1 with converted messages. */
export function hostAgentV2({ sessions, version }: AgentOptions): AgentApp {
  const session = methods.agent.session;
  let connection: AgentConnection | undefined;
  return agent({ name: "incipit" })
    .onConnect((opened) => {
      connection = opened;
    })
    .onRequest(methods.agent.initialize, ({ params }) => {
      if (connection === undefined) throw RequestError.internalError(undefined, "there is no connection");
      const { info: clientInfo, capabilities: { elicitation = null } = {} } = params;
      const clientCapabilities = { session: shownUnsaid, elicitation };
      sessions.begin(new Editor(wireOf(connection), { clientInfo, clientCapabilities }));
      const info = { name: "incipit", title: "Incipit", version };
      return { protocolVersion: PROTOCOL_VERSION, info, capabilities, authMethods: [] };
    })
    .onRequest(session.new, ({ params }) =>
      told(async () => opened(await sessions.open.create(openRequest(params)))),
    )
    .onRequest(session.resume, ({ params }) =>
      told(async () => {
        const { sessionId } = params;
        const request = openRequest(params);
        return opened(
          await (isReplayed(params)
            ? sessions.open.load(sessionId, request)
            : sessions.open.resume(sessionId, request)),
        );
      }, params),
    )
    .onRequest(session.fork, ({ params }) =>
      told(async () => opened(await sessions.open.fork(params.sessionId, openRequest(params))), params),
    )
    .onRequest(session.list, ({ params }) => told(sessions.open.list(params)))
    .onRequest(session.close, ({ params }) => told(sessions.open.close(params.sessionId), params))
    .onRequest(session.delete, ({ params }) => told(sessions.open.delete(params.sessionId), params))
    .onRequest(session.setConfigOption, ({ params }) =>
      told(async () => opened(await sessions.open.choose(choiceOf(params))), params),
    )
    .onRequest(session.prompt, ({ params, signal }) =>
      told(async () => {
        const blocks = saidBlocks(params.prompt);
        return { messageId: await sessions.open.get(params.sessionId).insert(blocks, signal) };
      }, params),
    )
    .onNotification(session.cancel, async ({ params }) => {
      await sessions.open.get(params.sessionId).cancel();
    });
}

/** Whether the history is replayed. @throws {RequestError} Invalid params, for an unknown start. */
function isReplayed({ replayFrom }: ResumeSessionRequest): boolean {
  if (replayFrom === undefined || replayFrom === null) return false;
  if (ReplayFrom.isStart(replayFrom)) return true;
  const { type } = replayFrom;
  throw RequestError.invalidParams({ type }, `nothing is replayed from "${type}"; write "start", or leave it out`);
}

function openRequest(params: NewSessionRequest): OpenRequest {
  const { cwd, additionalDirectories = [], mcpServers = [], systemPrompt, _meta } = params;
  assertSupportedMcpServers(mcpServers, capabilities.session.mcp);
  return {
    cwd,
    additionalDirectories,
    mcpServers: mcpServers.flatMap(passedServer),
    ...(systemPrompt === undefined || systemPrompt === null
      ? {}
      : { systemPrompt: { mode: systemPrompt.mode, content: saidBlocks(systemPrompt.content) } }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** Converts an MCP server to version 1; none for unsupported types. */
function passedServer(server: McpServer): readonly PassedServer[] {
  if (McpServer.isStdio(server)) {
    const { name, command, args = [], env = [] } = server;
    return [{ name, command, args, env }];
  }
  if (!McpServer.isHttp(server)) return [];
  const { name, url, headers = [] } = server;
  return [{ type: "http", name, url, headers }];
}

function opened<Answer extends { readonly configOptions?: readonly Option[] | null }>({
  configOptions,
  ...answer
}: Answer): Omit<Answer, "configOptions"> & { configOptions: SessionConfigOption[] } {
  return { ...answer, configOptions: (configOptions ?? []).map(configOptionOf) };
}
