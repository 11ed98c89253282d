import {
  agent,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentApp,
  type AgentConnection,
  type InitializeResponse,
} from "@agentclientprotocol/sdk/unstable";
import type { HostLink } from "./host/host-link.ts";
import { requestError } from "./host/request-error.ts";
import { Editor } from "./session/editor.ts";
import { Sessions } from "./session/sessions.ts";

export interface AgentOptions {
  readonly link: HostLink;
  readonly version: string;
  readonly defaults: { readonly model?: string | undefined; readonly profile?: string | undefined };
  readonly log: (line: string) => void;
}

/** The host as an agent: one editor, and the sessions that it has open. */
export class HostAgent {
  readonly #options: AgentOptions;
  #connection: AgentConnection | undefined;
  #sessions: Sessions | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** The methods of the protocol, each answered by the host. */
  app(): AgentApp {
    const session = methods.agent.session;
    return agent({ name: "incipit" })
      .onConnect((connection) => {
        this.#connection = connection;
      })
      .onRequest(methods.agent.initialize, ({ params }) => {
        const { link, defaults, log } = this.#options;
        if (this.#connection === undefined) throw RequestError.internalError(undefined, "there is no connection");
        this.#sessions?.closeAll(); // It begins anew.
        const editor = new Editor(this.#connection, params);
        this.#sessions = new Sessions({ link, editor, defaults, log });
        // Behind the answer: a session will soon be asked for.
        setTimeout(() => void link.client().catch(() => undefined), 0);
        return this.#introduction();
      })
      .onRequest(methods.agent.authenticate, ({ params }) => {
        const message = `there is no method "${params.methodId}": whoever can start this agent may use it`;
        throw RequestError.invalidParams({ methodId: params.methodId }, message);
      })
      .onRequest(session.new, ({ params }) => told(this.#open.create(params)))
      .onRequest(session.load, ({ params }) => told(this.#open.load(params.sessionId, params), params))
      .onRequest(session.resume, ({ params }) => told(this.#open.resume(params.sessionId, params), params))
      .onRequest(session.fork, ({ params }) => told(this.#open.fork(params.sessionId, params), params))
      .onRequest(session.list, ({ params }) => told(this.#open.list(params)))
      .onRequest(session.close, ({ params }) => told(this.#open.close(params.sessionId), params))
      .onRequest(session.delete, ({ params }) => told(this.#open.delete(params.sessionId), params))
      .onRequest(session.setConfigOption, ({ params }) => told(this.#open.choose(params), params))
      .onRequest(session.prompt, ({ params, signal }) =>
        told(async () => this.#open.get(params.sessionId).prompt(params.prompt, signal), params),
      )
      .onNotification(session.cancel, async ({ params }) => {
        await this.#open.get(params.sessionId).cancel();
      });
  }

  /** The editor is gone; what it has asked for goes on. */
  close(): void {
    this.#sessions?.closeAll();
  }

  /** Resolves when what the editor has asked for is over; for a host that ends with it. */
  async finish(): Promise<void> {
    await this.#sessions?.finish();
  }

  get #open(): Sessions {
    if (this.#sessions === undefined) throw RequestError.invalidRequest(undefined, 'send "initialize" first');
    return this.#sessions;
  }

  #introduction(): InitializeResponse {
    const { version } = this.#options;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "incipit", title: "Incipit", version },
      agentCapabilities: {
        loadSession: true,
        // The host takes files of any kind; whether a model does is said when it is asked.
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
}

/** What a method gives, its failures as errors of the protocol. */
async function told<Result>(
  work: Promise<Result> | (() => Promise<Result>),
  about: { readonly sessionId?: string } = {},
): Promise<Result> {
  try {
    return await (typeof work === "function" ? work() : work);
  } catch (error) {
    throw requestError(error, about);
  }
}
