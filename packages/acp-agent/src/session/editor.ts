import {
  methods,
  type AgentConnection,
  type ClientCapabilities,
  type InitializeRequest,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";

/** `none`: the question was put away without an answer. `gone`: whoever was asked is not there any more. */
export type Permission =
  | { readonly kind: "chosen"; readonly optionId: string }
  | { readonly kind: "none" }
  | { readonly kind: "gone" };

/** Whoever has opened sessions: an editor, or another program that speaks the protocol. */
export class Editor {
  readonly #connection: AgentConnection;
  /** What it can show, as it said itself. */
  readonly capabilities: ClientCapabilities;
  /** What it calls itself, in one line. */
  readonly name: string;

  constructor(connection: AgentConnection, { clientCapabilities = {}, clientInfo }: InitializeRequest) {
    this.#connection = connection;
    this.capabilities = clientCapabilities;
    this.name = nameOf(clientInfo?.title ?? clientInfo?.name ?? "");
  }

  /** Resolves when it was written; one that is gone is told nothing. */
  async tell(sessionId: string, updates: readonly SessionUpdate[]): Promise<void> {
    const { client } = this.#connection;
    const told = updates.map((update) =>
      client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined),
    );
    await Promise.all(told);
  }

  /** Asks until there is an answer, or `signal` aborts. */
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

/** As the host takes the name of whoever asks for something. */
function nameOf(given: string): string {
  const name = given.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return name === "" ? "an editor" : name.slice(0, 100);
}
