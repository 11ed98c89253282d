import {
  agent,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentApp,
  type AgentConnection,
  type InitializeResponse,
} from "@agentclientprotocol/sdk/unstable";
import { told } from "./host/told.ts";
import type { ConnectedSessions } from "./session/connected-sessions.ts";
import { Editor } from "./session/editor.ts";

export interface AgentOptions {
  readonly sessions: ConnectedSessions;
  readonly version: string;
}

/** Protocol version 1, whichever version the editor requests. */
export function hostAgent({ sessions, version }: AgentOptions): AgentApp {
  const session = methods.agent.session;
  let connection: AgentConnection | undefined;
  return agent({ name: "incipit" })
    .onConnect((opened) => {
      connection = opened;
    })
    .onRequest(methods.agent.initialize, ({ params }) => {
      if (connection === undefined) throw RequestError.internalError(undefined, "there is no connection");
      sessions.begin(new Editor(connection, params));
      return introduction(version);
    })
    .onRequest(methods.agent.authenticate, ({ params }) => {
      const message = `unknown method "${params.methodId}": this agent needs no sign-in`;
      throw RequestError.invalidParams({ methodId: params.methodId }, message);
    })
    .onRequest(session.new, ({ params }) => told(sessions.open.create(params)))
    .onRequest(session.load, ({ params }) => told(sessions.open.load(params.sessionId, params), params))
    .onRequest(session.resume, ({ params }) => told(sessions.open.resume(params.sessionId, params), params))
    .onRequest(session.fork, ({ params }) => told(sessions.open.fork(params.sessionId, params), params))
    .onRequest(session.list, ({ params }) => told(sessions.open.list(params)))
    .onRequest(session.close, ({ params }) => told(sessions.open.close(params.sessionId), params))
    .onRequest(session.delete, ({ params }) => told(sessions.open.delete(params.sessionId), params))
    .onRequest(session.setConfigOption, ({ params }) => told(sessions.open.choose(params), params))
    .onRequest(session.prompt, ({ params, signal }) =>
      told(async () => sessions.open.get(params.sessionId).prompt(params.prompt, signal), params),
    )
    .onNotification(session.cancel, async ({ params }) => {
      await sessions.open.get(params.sessionId).cancel();
    });
}

function introduction(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "incipit", title: "Incipit", version },
    agentCapabilities: {
      loadSession: true,
      // The host accepts any type; unsupported files are rejected for each model.
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: {
        list: {},
        delete: {},
        resume: {},
        close: {},
        fork: {},
        systemPrompt: { mode: { override: {} } },
      },
    },
    authMethods: [],
  };
}
