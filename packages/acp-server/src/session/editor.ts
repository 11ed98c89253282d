import {
  methods,
  type AgentConnection,
  type ClientCapabilities,
  type CreateElicitationResponse,
  type ElicitationSchema,
  type InitializeRequest,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { singleLine } from "@incipit/schema";

/** `none`: the user dismissed the question. `gone`: the editor disconnected. */
export type Permission =
  | { readonly kind: "chosen"; readonly optionId: string }
  | { readonly kind: "none" }
  | { readonly kind: "gone" };

export interface FormQuestion {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly message: string;
  readonly requestedSchema: ElicitationSchema;
}

/** The connected client: an editor or another program that speaks the protocol. */
export class Editor {
  readonly #connection: AgentConnection;
  /** Capabilities announced by the client. */
  readonly capabilities: ClientCapabilities;
  /** Name announced by the client, on one line. */
  readonly name: string;

  constructor(
    connection: AgentConnection,
    { clientCapabilities = {}, clientInfo }: Pick<InitializeRequest, "clientCapabilities" | "clientInfo">,
  ) {
    this.#connection = connection;
    this.capabilities = clientCapabilities;
    this.name = nameOf(clientInfo?.title ?? clientInfo?.name ?? "");
  }

  /** Resolves once the updates are written; a disconnected editor is ignored. */
  async tell(sessionId: string, updates: readonly SessionUpdate[]): Promise<void> {
    const { client } = this.#connection;
    const { update: method } = methods.client.session;
    const told = updates.map((update) => client.notify(method, { sessionId, update }).catch(() => undefined));
    await Promise.all(told);
  }

  /** Whether the editor supports forms. */
  get hasForms(): boolean {
    const { elicitation } = this.capabilities;
    return elicitation?.form !== undefined && elicitation.form !== null;
  }

  /**
   * Shows a form until `signal` aborts; only for editors that support forms. Resolves with `undefined` if it was not
   * answered here, so that other clients may still answer.
   */
  async askForm(question: FormQuestion, signal: AbortSignal): Promise<CreateElicitationResponse | undefined> {
    const { client, signal: ended } = this.#connection;
    const request = { mode: "form" as const, ...question };
    try {
      return await client.request(methods.client.elicitation.create, request, {
        cancellationSignal: signal,
        stopWaitingOnCancel: true,
      });
    } catch {
      return ended.aborted || signal.aborted ? undefined : { action: "cancel" };
    }
  }

  /** Requests permission until there is an answer or `signal` aborts. */
  async askPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<Permission> {
    const { client, signal: ended } = this.#connection;
    try {
      const { outcome } = await client.request(methods.client.session.requestPermission, request, {
        cancellationSignal: signal,
        stopWaitingOnCancel: true,
      });
      return outcome.outcome === "selected" ? { kind: "chosen", optionId: outcome.optionId } : { kind: "none" };
    } catch {
      return { kind: ended.aborted ? "gone" : "none" };
    }
  }
}

/** Limits the name to the form that the host accepts. */
function nameOf(given: string): string {
  const name = singleLine(given);
  return name === "" ? "an editor" : name.slice(0, 100);
}
