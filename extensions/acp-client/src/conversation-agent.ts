import { errorMessage, type Host, type WireRequest } from "@incipit/kernel";
import type { ProgramSecrets } from "@incipit/redaction";
import type { ModelFailure, ModelRequest } from "@incipit/service-contract";
import { openAgent, type AgentConnection } from "./agent-connection.ts";
import { toModelFailure } from "./agent-failure.ts";
import { AgentPrompt } from "./agent-prompt.ts";
import type { PromptAnswer } from "./agent-answers.ts";
import { chooseModel, openSession, type OpenSession } from "./agent-session.ts";
import { promptPlan } from "./prompt-plan.ts";
import { ReplyEvents } from "./reply-events.ts";
import type { ReplyQueue } from "./reply-queue.ts";
import { programFolder, programHash, type AgentSettings } from "./settings.ts";
import type { StoredSession, StoredSessions } from "./stored-session.ts";
import { toldOf } from "./sent-messages.ts";
import { sha256Hex } from "@incipit/common";

export interface ConversationAgentOptions {
  readonly settings: AgentSettings;
  readonly host: Pick<Host, "spawn" | "log" | "clock">;
  readonly secrets: ProgramSecrets;
  readonly sessions: StoredSessions | undefined;
}

const stopped: ModelFailure = { code: "CANCELLED", message: "The call was stopped", isRetryable: false };

export class ConversationAgent {
  readonly #options: ConversationAgentOptions;
  readonly #program: string;
  #connection: AgentConnection | undefined;
  #folder: string | undefined;
  #live: OpenSession | undefined;

  constructor(options: ConversationAgentOptions) {
    this.#options = options;
    this.#program = programHash(options.settings);
  }

  get isRunning(): boolean {
    return this.#connection?.over.aborted === false;
  }

  /**
   * Sends a request to the agent; the last item of `queue` is the end of the answer. One call at a time. Never rejects.
   */
  async answer(request: ModelRequest, queue: ReplyQueue, stop: AbortSignal): Promise<void> {
    const reply = new ReplyEvents();
    try {
      const answer = await this.#prompt(request, { reply, queue, stop });
      queue.pushEvents(reply.end(answer));
    } catch (error) {
      const { secrets } = this.#options;
      const failure = stop.aborted ? stopped : toModelFailure(error, (text) => secrets.redact(text));
      const cut = reply.cut("The agent was cut off before this call had ended");
      queue.pushEvents([...cut, { type: "failure", error: failure }]);
    }
  }

  /** Closes the connection. The session can be restored if the agent supports that. */
  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async #prompt(
    request: ModelRequest,
    { reply, queue, stop }: { readonly reply: ReplyEvents; readonly queue: ReplyQueue; readonly stop: AbortSignal },
  ): Promise<PromptAnswer> {
    const { settings, host, sessions } = this.#options;
    const { conversationId, askPermission } = request;
    const connection = await this.#connected(request.cwd, stop);
    const session = await this.#session(connection, request, stop);
    const agent = settings.name;
    const { blocks, instructions, from } = promptPlan(request, session, { agent, greeting: connection.greeting });
    const kept = this.#kept(request, session, from);
    const prompt = new AgentPrompt({
      agent,
      connection,
      sessionId: session.sessionId,
      blocks,
      askPermission,
      reply,
      queue,
      silenceTimeoutMs: settings.silenceTimeoutMs,
      clock: host.clock,
      stop,
      leaving: async (line) => {
        const at = host.clock.now();
        await request.observe(promptRecord(line, { agent, connection, sessionId: session.sessionId, at }), {
          instructions,
        });
        await sessions?.set(conversationId, kept);
      },
    });
    try {
      return await prompt.run();
    } finally {
      if (prompt.isAnswered) await this.#answered(conversationId, kept);
    }
  }

  async #connected(cwd: string, signal: AbortSignal): Promise<AgentConnection> {
    const folder = programFolder(this.#options.settings, cwd);
    if (this.#connection?.over.aborted === false) {
      if (this.#folder === folder) return this.#connection;
      await this.#connection.close(); // The conversation was moved, and its program runs in its folder.
    }
    this.#live = undefined;
    this.#connection = undefined;
    const connection = await openAgent(this.#options, { cwd, signal });
    this.#connection = connection;
    this.#folder = folder;
    return connection;
  }

  async #session(connection: AgentConnection, request: ModelRequest, signal: AbortSignal): Promise<OpenSession> {
    const { settings, host, sessions } = this.#options;
    const opened = await openSession(connection, request, {
      settings,
      log: host.log,
      program: this.#program,
      stored: await sessions?.get(request.conversationId),
      live: this.#live,
      signal,
    });
    this.#live = opened;
    const options = await chooseModel(connection, opened, { model: request.model, settings, signal });
    return (this.#live = { ...opened, options });
  }

  /**
   * Returns the record of the session. It is stored before the prompt is sent, which may arrive even if the host stops.
   */
  #kept(request: ModelRequest, { sessionId, systemSha256, by }: OpenSession, from: number): StoredSession {
    return {
      sessionId,
      program: this.#program,
      cwd: request.cwd,
      systemSha256,
      by,
      ...toldOf(request.messages),
      openFrom: from,
      usedAtMs: this.#options.host.clock.now(),
    };
  }

  async #answered(conversationId: string, kept: StoredSession): Promise<void> {
    const { sessions, host, settings } = this.#options;
    try {
      await sessions?.set(conversationId, { ...kept, openFrom: null });
    } catch (error) {
      // Without the session, the agent receives the messages again, so nothing is lost.
      host.log.warn(`It could not be stored that the agent "${settings.name}" has answered`, {
        conversationId,
        error: errorMessage(error),
      });
    }
  }
}

/** All messages sent to the agent since the previous prompt, then the prompt itself, byte for byte, one per line. */
function promptRecord(
  line: string,
  {
    agent,
    connection,
    sessionId,
    at,
  }: {
    readonly agent: string;
    readonly connection: Pick<AgentConnection, "unrecorded" | "greeting">;
    readonly sessionId: string;
    readonly at: number;
  },
): WireRequest {
  const { body, leftOut } = connection.unrecorded.with(line);
  const { name, version } = connection.greeting.agentInfo ?? { name: agent, version: "" };
  return {
    method: "session/prompt",
    url: `acp://${agent}/${encodeURIComponent(sessionId)}`,
    headers: {
      agent: `${name} ${version}`.trim().slice(0, 200),
      ...(leftOut === 0 ? {} : { "messages-left-out": String(leftOut) }),
    },
    body,
    sha256: sha256Hex(body),
    at,
  };
}
