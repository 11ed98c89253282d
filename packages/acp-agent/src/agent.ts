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
import type { AgentOptions } from "./session/agent-options.ts";
import { Editor, type EditorWire } from "./session/editor.ts";
import { textContent } from "./tools/tool-view.ts";

/** Creates an ACP agent of protocol version 1 whose methods call the host. */
export function hostAgent({ sessions, version }: AgentOptions): AgentApp {
  const session = methods.agent.session;
  let connection: AgentConnection | undefined;
  return agent({ name: "incipit" })
    .onConnect((opened) => {
      connection = opened;
    })
    .onRequest(methods.agent.initialize, ({ params }) => {
      if (connection === undefined) throw RequestError.internalError(undefined, "there is no connection");
      sessions.begin(new Editor(wireOf(connection), params));
      return introduction(version);
    })
    .onRequest(methods.agent.authenticate, ({ params }) => {
      const message = `there is no method "${params.methodId}": whoever can start this agent may use it`;
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

function wireOf({ client, signal }: AgentConnection): EditorWire {
  return {
    signal,
    notify: (notification) => client.notify(methods.client.session.update, notification),
    ask: ({ sessionId, toolCall, about, options }, cancellationSignal) => {
      const content = [...about.map(textContent), ...(toolCall.content ?? [])];
      const request = { sessionId, toolCall: { ...toolCall, content }, options };
      return client.request(methods.client.session.requestPermission, request, {
        cancellationSignal,
        stopWaitingOnCancel: true,
      });
    },
    askForm: (question, cancellationSignal) =>
      client.request(
        methods.client.elicitation.create,
        { mode: "form", ...question },
        { cancellationSignal, stopWaitingOnCancel: true },
      ),
  };
}

function introduction(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "incipit", title: "Incipit", version },
    agentCapabilities: {
      loadSession: true,
      // The host accepts files of any type; unsupported ones are rejected for each model.
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
