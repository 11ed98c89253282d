import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  SessionUpdate,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  type CreateElicitationRequest,
  type ContentBlock,
  type InitializeResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type StateUpdate,
  type UpdateSessionNotification,
} from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { inputOf, spawnAcp, type AcpProcessOptions } from "./acp-process.ts";
import { Changes } from "./changes.ts";

/** An ACP editor of version 2: the client of the official SDK, with the agent that it has started. */
export class AcpProcessV2 implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #connection: ClientConnection;
  readonly #told: UpdateSessionNotification[] = [];
  readonly #asked: RequestPermissionRequest[] = [];
  readonly #changes = new Changes();
  #written = "";
  /** Every form that the editor received; its user answers "Porto". */
  readonly forms: CreateElicitationRequest[] = [];
  /** The user's answer to a permission request; pending until set. */
  answer: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse> = () =>
    new Promise(() => {});

  constructor(options: AcpProcessOptions) {
    this.#child = spawnAcp(options);
    void new Response(this.#child.stderr).text();
    this.#connection = client({ name: "test" })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.#told.push(params);
        this.#changes.tell();
      })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
        this.#asked.push(params);
        this.#changes.tell();
        return this.answer(params, signal);
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        this.forms.push(params);
        return { action: "accept", content: { city: "Porto" } };
      })
      .connect(ndJsonStream(inputOf(this.#child), this.#child.stdout.pipeThrough(this.#kept())));
  }

  get agent(): ClientContext {
    return this.#connection.agent;
  }

  get asked(): readonly RequestPermissionRequest[] {
    return this.#asked;
  }

  /** Raw lines of the agent, since the client may resolve a response before earlier notifications. */
  get written(): readonly string[] {
    return this.#written.trim().split("\n");
  }

  initialize(capabilities: ClientCapabilities = {}): Promise<InitializeResponse> {
    const info = { name: "test", version: "1" };
    return this.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, info, capabilities });
  }

  async newSession(cwd: string): Promise<string> {
    return (await this.agent.request(methods.agent.session.new, { cwd })).sessionId;
  }

  /** Sends a prompt; resolves with its message id once stored in the conversation. */
  async prompt(
    sessionId: string,
    said: string | readonly ContentBlock[],
    cancellationSignal?: AbortSignal,
  ): Promise<string> {
    const prompt: ContentBlock[] = typeof said === "string" ? [{ type: "text", text: said }] : [...said];
    const options = cancellationSignal === undefined ? {} : { cancellationSignal };
    const { messageId } = await this.agent.request(methods.agent.session.prompt, { sessionId, prompt }, options);
    return messageId;
  }

  updates(sessionId: string): readonly SessionUpdate[] {
    return this.#told.filter((one) => one.sessionId === sessionId).map(({ update }) => update);
  }

  states(sessionId: string): readonly StateUpdate[] {
    return this.updates(sessionId).filter(SessionUpdate.isStateUpdate);
  }

  ends(sessionId: string): number {
    return this.states(sessionId).filter((state) => "stopReason" in state).length;
  }

  /** Returns the messages of a kind with their ids and joined texts. */
  messages(
    sessionId: string,
    kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk",
  ): readonly { readonly id: string; readonly text: string }[] {
    const texts = new Map<string, string>();
    for (const update of this.updates(sessionId)) {
      const isChunk =
        SessionUpdate.isAgentMessageChunk(update) ||
        SessionUpdate.isAgentThoughtChunk(update) ||
        SessionUpdate.isUserMessageChunk(update);
      if (!isChunk || update.sessionUpdate !== kind) continue;
      const { content, messageId } = update;
      texts.set(
        messageId,
        (texts.get(messageId) ?? "") + ("text" in content ? String(content.text) : `[${content.type}]`),
      );
    }
    return [...texts].map(([id, text]) => ({ id, text }));
  }

  /** Returns the texts of a kind, one per message. */
  said(
    sessionId: string,
    kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" = "agent_message_chunk",
  ): readonly string[] {
    return this.messages(sessionId, kind).map(({ text }) => text);
  }

  /** Resolves once the condition holds; checked after each notification and request. */
  waitFor(condition: () => boolean): Promise<void> {
    return this.#changes.until(condition);
  }

  waitForEnds(sessionId: string, times: number): Promise<void> {
    return this.waitFor(() => this.ends(sessionId) >= times);
  }

  kill(signal: NodeJS.Signals): Promise<number> {
    this.#child.kill(signal);
    return this.#child.exited;
  }

  #kept(): TransformStream<Uint8Array, Uint8Array> {
    const decoder = new TextDecoder();
    return new TransformStream({
      transform: (chunk, controller) => {
        this.#written += decoder.decode(chunk, { stream: true });
        controller.enqueue(chunk);
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill("SIGKILL");
  }
}
