import type {
  ClientCapabilities,
  CreateElicitationResponse,
  InitializeRequest,
  PermissionOption,
  RequestPermissionResponse,
  SessionNotification,
  SessionUpdate,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { singleLine } from "@incipit/schema";
import type { FormSchema } from "./form-schema.ts";
import type { SessionState } from "./session-state.ts";

/** `none`: the user dismissed the question. `gone`: the editor disconnected. */
export type Permission =
  | { readonly kind: "chosen"; readonly optionId: string }
  | { readonly kind: "none" }
  | { readonly kind: "gone" };

/** A request for permission to run a tool call. */
export interface PermissionQuestion {
  readonly sessionId: string;
  readonly toolCall: ToolCallUpdate;
  /** Reasons for the request, in addition to the call itself. */
  readonly about: readonly string[];
  readonly options: PermissionOption[];
}

export interface FormQuestion extends FormSchema {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly message: string;
}

/** Connection to an editor, independent of the protocol version. */
export interface EditorWire {
  /** Aborts when the editor disconnects. */
  readonly signal: AbortSignal;
  notify(notification: SessionNotification): Promise<void>;
  /** Rejects when `signal` aborts, which cancels the request. */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** Like `ask`, for a form; only for editors that support forms. */
  askForm(question: FormQuestion, signal: AbortSignal): Promise<CreateElicitationResponse>;
  /**
   * Reports the state of a session. Absent in versions where only the response to a prompt reports the end of its
   * turn.
   */
  tellState?(sessionId: string, state: SessionState): Promise<void>;
}

/** The connected client: an editor or another program that speaks the protocol. */
export class Editor {
  readonly #wire: EditorWire;
  /** Capabilities announced by the client. */
  readonly capabilities: ClientCapabilities;
  /** Name announced by the client, on one line. */
  readonly name: string;

  constructor(
    wire: EditorWire,
    { clientCapabilities = {}, clientInfo }: Pick<InitializeRequest, "clientCapabilities" | "clientInfo">,
  ) {
    this.#wire = wire;
    this.capabilities = clientCapabilities;
    this.name = nameOf(clientInfo?.title ?? clientInfo?.name ?? "");
  }

  /** Resolves once the updates are written; a disconnected editor is ignored. */
  async tell(sessionId: string, updates: readonly SessionUpdate[]): Promise<void> {
    const told = updates.map((update) => this.#wire.notify({ sessionId, update }).catch(() => undefined));
    await Promise.all(told);
  }

  /** Whether the editor receives session states, and shows user messages only when they are reported. */
  get isToldStates(): boolean {
    return this.#wire.tellState !== undefined;
  }

  /** Resolves once the state is written; ignored without session states. */
  async tellState(sessionId: string, state: SessionState): Promise<void> {
    await this.#wire.tellState?.(sessionId, state).catch(() => undefined);
  }

  /** Whether the editor supports forms. */
  get hasForms(): boolean {
    const { elicitation } = this.capabilities;
    return elicitation?.form !== undefined && elicitation.form !== null;
  }

  /** Resolves with `undefined` if the form was not answered here, so that other clients may still answer. */
  async askForm(question: FormQuestion, signal: AbortSignal): Promise<CreateElicitationResponse | undefined> {
    try {
      return await this.#wire.askForm(question, signal);
    } catch {
      return this.#wire.signal.aborted || signal.aborted ? undefined : { action: "cancel" };
    }
  }

  /** Requests permission until there is an answer or `signal` aborts. */
  async askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<Permission> {
    const { signal: ended } = this.#wire;
    try {
      const { outcome } = await this.#wire.ask(question, signal);
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
