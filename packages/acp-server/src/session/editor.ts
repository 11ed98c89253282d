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

/** `none`: dismissed. `gone`: the editor disconnected. */
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

export class Editor {
  readonly #connection: AgentConnection;
  readonly capabilities: ClientCapabilities;
  /** One line. */
  readonly name: string;

  constructor(
    connection: AgentConnection,
    { clientCapabilities = {}, clientInfo }: Pick<InitializeRequest, "clientCapabilities" | "clientInfo">,
  ) {
    this.#connection = connection;
    this.capabilities = clientCapabilities;
    this.name = nameOf(clientInfo?.title ?? clientInfo?.name ?? "");
  }

  /** A disconnected editor is ignored. */
  async tell(sessionId: string, updates: readonly SessionUpdate[]): Promise<void> {
    const { client } = this.#connection;
    const { update: method } = methods.client.session;
    const told = updates.map((update) => client.notify(method, { sessionId, update }).catch(() => undefined));
    await Promise.all(told);
  }

  get hasForms(): boolean {
    const { elicitation } = this.capabilities;
    return elicitation?.form !== undefined && elicitation.form !== null;
  }

  /** Only for editors that support forms. `undefined` if not answered here: other clients may still answer. */
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

/** Returns the editor's name in a form that the host accepts. */
function nameOf(given: string): string {
  const name = singleLine(given);
  return name === "" ? "an editor" : name.slice(0, 100);
}
