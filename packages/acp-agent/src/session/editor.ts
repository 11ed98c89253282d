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

/** `none`: the question was put away without an answer. `gone`: whoever was asked is not there any more. */
export type Permission =
  | { readonly kind: "chosen"; readonly optionId: string }
  | { readonly kind: "none" }
  | { readonly kind: "gone" };

/** A question about a tool call. */
export interface PermissionQuestion {
  readonly sessionId: string;
  readonly toolCall: ToolCallUpdate;
  /** Why it is asked, beside what the call would do. */
  readonly about: readonly string[];
  readonly options: PermissionOption[];
}

/** A form that a person is asked to fill in. */
export interface FormQuestion extends FormSchema {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly message: string;
}

/** How an editor is reached, in the version of the protocol that it speaks. */
export interface EditorWire {
  /** Aborts when it is gone. */
  readonly signal: AbortSignal;
  notify(notification: SessionNotification): Promise<void>;
  /** Rejects when `signal` aborts: it is not asked any more then. */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** As `ask`, for a form: of those that say they have them. */
  askForm(question: FormQuestion, signal: AbortSignal): Promise<CreateElicitationResponse>;
  /** Tells what a session is doing; without it, only the answer to a prompt says that its turn is over. */
  tellState?(sessionId: string, state: SessionState): Promise<void>;
}

/** Whoever has opened sessions: an editor, or another program that speaks the protocol. */
export class Editor {
  readonly #wire: EditorWire;
  /** What it can show, as it said itself. */
  readonly capabilities: ClientCapabilities;
  /** What it calls itself, in one line. */
  readonly name: string;

  constructor(
    wire: EditorWire,
    { clientCapabilities = {}, clientInfo }: Pick<InitializeRequest, "clientCapabilities" | "clientInfo">,
  ) {
    this.#wire = wire;
    this.capabilities = clientCapabilities;
    this.name = nameOf(clientInfo?.title ?? clientInfo?.name ?? "");
  }

  /** Resolves when it was written; one that is gone is told nothing. */
  async tell(sessionId: string, updates: readonly SessionUpdate[]): Promise<void> {
    const told = updates.map((update) => this.#wire.notify({ sessionId, update }).catch(() => undefined));
    await Promise.all(told);
  }

  /** Whether it is told what a session is doing, and shows what it has said itself once it is told so. */
  get isToldStates(): boolean {
    return this.#wire.tellState !== undefined;
  }

  /** Resolves when it was written; one that does not know states is told nothing. */
  async tellState(sessionId: string, state: SessionState): Promise<void> {
    await this.#wire.tellState?.(sessionId, state).catch(() => undefined);
  }

  /** Whether it says that it shows forms. */
  get hasForms(): boolean {
    const { elicitation } = this.capabilities;
    return elicitation?.form !== undefined && elicitation.form !== null;
  }

  /** `undefined`: it was not answered there, and others may answer it yet. */
  async askForm(question: FormQuestion, signal: AbortSignal): Promise<CreateElicitationResponse | undefined> {
    try {
      return await this.#wire.askForm(question, signal);
    } catch {
      return this.#wire.signal.aborted || signal.aborted ? undefined : { action: "cancel" };
    }
  }

  /** Asks until there is an answer, or `signal` aborts. */
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

/** As the host takes the name of whoever asks for something. */
function nameOf(given: string): string {
  const name = singleLine(given);
  return name === "" ? "an editor" : name.slice(0, 100);
}
