import * as z from "zod";
import { within } from "../model-server/wire/within.ts";

export interface AgentUnderTest {
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment; absent: only what locates programs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Prompts are answered only when cancelled. */
  readonly hold: () => void;
  /** Resolves when such a prompt runs. Absent if a prompt can be cancelled once it was read. */
  readonly held?: () => Promise<void>;
}

/** Named as in the answer to `initialize`. */
export type AgentCapability = "loadSession";

export interface AgentWorldOptions {
  readonly deadlineMs: number;
  readonly doesNotOffer: readonly AgentCapability[];
}

const errorSchema = z.looseObject({ code: z.int(), message: z.string() });
const answerSchema = z.looseObject({ result: z.unknown().optional(), error: errorSchema.optional() });
export type AgentAnswer = z.infer<typeof answerSchema>;

const idSchema = z.union([z.string(), z.number(), z.null()]);
const messageSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: idSchema.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: errorSchema.optional(),
});
type AgentMessage = z.infer<typeof messageSchema>;

const sessionSchema = z.looseObject({ sessionId: z.string() });
const updateSchema = z.looseObject({
  sessionId: z.string(),
  update: z.looseObject({
    sessionUpdate: z.string(),
    content: z.looseObject({ type: z.string(), text: z.string().optional() }).optional().catch(undefined),
  }),
});
const introductionSchema = z.looseObject({
  protocolVersion: z.int(),
  agentCapabilities: z.looseObject({ loadSession: z.boolean().optional() }).optional(),
});
export type AgentIntroduction = z.infer<typeof introductionSchema>;

export class AgentWorld implements AsyncDisposable {
  readonly agent: AgentUnderTest;
  readonly options: AgentWorldOptions;
  readonly messages: AgentMessage[] = [];
  /** Lines without a message. */
  readonly noise: string[] = [];
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #waiting = new Set<() => void>();
  #nextId = 1_000;

  constructor(agent: AgentUnderTest, options: AgentWorldOptions) {
    this.agent = agent;
    this.options = options;
    this.#child = Bun.spawn([...agent.command], {
      cwd: agent.cwd,
      env: { PATH: process.env["PATH"] ?? "", ...agent.env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    void this.#read();
  }

  again(): AgentWorld {
    return new AgentWorld(this.agent, this.options);
  }

  async initialize(protocolVersion = 1): Promise<AgentIntroduction> {
    const { result } = await this.request("initialize", { protocolVersion, clientCapabilities: {} });
    return introductionSchema.parse(result);
  }

  async newSession(): Promise<string> {
    const { result, error } = await this.request("session/new", { cwd: this.agent.cwd, mcpServers: [] });
    if (error !== undefined) throw new Error(`The agent refused session/new: ${error.message}`);
    return sessionSchema.parse(result).sessionId;
  }

  prompt(sessionId: string, text: string): Promise<AgentAnswer> {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  async request(method: string, params: object, id: string | number = this.freeId()): Promise<AgentAnswer> {
    await this.write({ jsonrpc: "2.0", id, method, params });
    await this.until(`an answer to ${method}`, () => this.answersTo(id).length > 0);
    return answerSchema.parse(this.answersTo(id)[0]);
  }

  freeId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  /** The prompt behind `hold` may be cancelled: a later request has been answered. */
  async held(): Promise<void> {
    await this.request("no/such_method", {});
    await this.agent.held?.();
  }

  notify(method: string, params: object): Promise<void> {
    return this.write({ jsonrpc: "2.0", method, params });
  }

  write(message: object): Promise<void> {
    return this.writeText(`${JSON.stringify(message)}\n`);
  }

  async writeText(text: string): Promise<void> {
    void this.#child.stdin.write(text);
    await within(Promise.resolve(this.#child.stdin.flush()), {
      what: "the agent to read its input",
      deadlineMs: this.options.deadlineMs,
    });
  }

  answersTo(id: string | number): readonly AgentMessage[] {
    return this.messages.filter((message) => message.id === id && message.method === undefined);
  }

  said(sessionId: string, kind: "agent_message_chunk" | "user_message_chunk"): string {
    return this.updates()
      .filter(({ update, ...one }) => one.sessionId === sessionId && update.sessionUpdate === kind)
      .map(({ update }) => update.content?.text ?? "")
      .join("");
  }

  updates(): readonly z.infer<typeof updateSchema>[] {
    return this.messages.flatMap(({ method, params }) => {
      const { data } = updateSchema.safeParse(params);
      return method === "session/update" && data !== undefined ? [data] : [];
    });
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    const wait = async (): Promise<void> => {
      while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    };
    await within(wait(), { what, deadlineMs: this.options.deadlineMs });
  }

  /** Resolves when the agent has exited. */
  async leave(): Promise<void> {
    await this.#child.stdin.end();
    await within(this.#child.exited, {
      what: "the agent to end with its input",
      deadlineMs: this.options.deadlineMs,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.#child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") this.#take(line);
      this.#wake();
    }
    if (rest.trim() !== "") this.#take(rest);
    this.#wake();
  }

  #take(line: string): void {
    const message = messageSchema.safeParse(jsonOf(line)).data;
    if (message === undefined) {
      this.noise.push(line);
      return;
    }
    this.messages.push(message);
    const { id, method } = message;
    if (id === undefined || id === null || method === undefined) return;
    // Like an absent user.
    const answer =
      method === "session/request_permission"
        ? { result: { outcome: { outcome: "cancelled" } } }
        : { error: { code: -32_601, message: "Method not found" } };
    void this.write({ jsonrpc: "2.0", id, ...answer }).catch(() => undefined);
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
