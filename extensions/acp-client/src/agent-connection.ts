import { DeadlineError, withDeadline, type Host } from "@incipit/kernel";
import { unlessAborted } from "@incipit/common";
import { ProgramMessages, wrongAnswerCode } from "@incipit/common/programs";
import type { ProgramSecrets } from "@incipit/redaction";
import {
  client,
  methods,
  RequestError,
  type ClientConnection,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";
import { AgentFailure, shortened } from "./agent-failure.ts";
import { greetingSchema, type Greeting } from "./agent-answers.ts";
import { maxMessageBytes, maxMessageDepth, maxMessages, messageWindowMs } from "./limits.ts";
import { MessageStream, sessionUpdateMethod } from "./message-stream.ts";
import { cancelled } from "./permission-answer.ts";
import { permissionSchema, readUpdate } from "./session-update.ts";
import { programFolder, type AgentSettings } from "./settings.ts";
import { UnrecordedLines } from "./unrecorded-lines.ts";

export type AskedPermission = z.output<typeof permissionSchema>;

export interface AgentListener {
  update(update: ReturnType<typeof readUpdate>): void;
  /** Awaited before reading more. */
  readonly room: Promise<void> | undefined;
  permission(asked: AskedPermission): Promise<RequestPermissionResponse>;
  beforePrompt(line: string): Promise<void>;
}

export interface ConnectionOptions {
  readonly settings: AgentSettings;
  readonly host: Pick<Host, "spawn" | "log" | "clock">;
  readonly secrets: ProgramSecrets;
}

const limits = {
  maxBytes: maxMessageBytes,
  maxDepth: maxMessageDepth,
  maxMessages,
  windowMs: messageWindowMs,
} as const;

const protocolVersion = 1;
const loginCode = -32_000;
const errorDataSchema = z.union([
  z.string(),
  z.looseObject({ details: z.string().optional(), message: z.string().optional() }),
]);

/** @throws {AgentFailure} when it does not run; no process is left behind. */
export async function openAgent(
  options: ConnectionOptions,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<AgentConnection> {
  const { settings, host, secrets } = options;
  const { name, program, args } = settings;
  const env: Record<string, string> = {};
  for (const variable of settings.env) {
    try {
      env[variable] = secrets.read(variable);
    } catch (cause) {
      throw new AgentFailure(
        "NOT_CONFIGURED",
        `Cannot start the agent "${name}": the variable "${variable}" is not set`,
        {
          cause,
        },
      );
    }
  }
  const folder = programFolder(settings, cwd);
  const started = await host.spawn.start(program, args, { cwd: folder, env });
  if (started.kind === "failed") {
    const { reason, detail = "the system does not say why" } = started;
    const why =
      reason === "not-installed"
        ? `the program "${program}" was not found; install it, or set another one in [agents.${name}]`
        : reason === "cwd-not-found"
          ? `there is no folder "${folder}"`
          : detail;
    throw new AgentFailure("NOT_CONFIGURED", `Cannot start the agent "${name}": ${why}`);
  }
  const connection = new AgentConnection(options, started.program);
  try {
    await connection.greet(signal);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

export class AgentConnection {
  readonly #options: ConnectionOptions;
  readonly #messages: ProgramMessages;
  readonly #over = new AbortController();
  readonly #connection: ClientConnection;
  readonly unrecorded = new UnrecordedLines();
  listener: AgentListener | undefined;
  #greeting: Greeting | undefined;

  constructor(options: ConnectionOptions, program: ConstructorParameters<typeof ProgramMessages>[0]["program"]) {
    const { settings, host, secrets } = options;
    this.#options = options;
    const stream = new MessageStream({
      send: (line) => this.#messages.send(line),
      unrecorded: this.unrecorded,
      beforePrompt: async (line) => this.listener?.beforePrompt(line),
    });
    this.#messages = new ProgramMessages({
      who: `The agent "${settings.name}"`,
      what: "an ACP message",
      program,
      limits,
      log: host.log,
      clock: host.clock,
      redact: (text) => secrets.redact(text),
      onMessage: (message) => {
        stream.receive(message);
        return this.listener?.room;
      },
      onBroken: (line) => stream.receiveBroken(line),
      onEnd: (reason) => {
        stream.end();
        const next =
          this.#greeting === undefined
            ? "run its command at a terminal to see why"
            : "your next message starts it again";
        const message = `The agent "${settings.name}" ${shortened(reason ?? "was stopped")}; ${next}`;
        this.#over.abort(new AgentFailure("CUT_OFF", message));
      },
    });
    this.#connection = client({ name: "incipit" })
      // The library would drop unknown updates and print a line to stderr for each.
      .onNotification(
        sessionUpdateMethod,
        (params) => readUpdate(params),
        ({ params }) => this.listener?.update(params),
      )
      // Some agents expect a response to an update.
      .onRequest(
        sessionUpdateMethod,
        (params) => readUpdate(params),
        ({ params }) => {
          this.listener?.update(params);
          return {};
        },
      )
      .onRequest(
        methods.client.session.requestPermission,
        (params) => permissionSchema.parse(params),
        async ({ params }) => this.listener?.permission(params) ?? cancelled,
      )
      .connect(stream.stream);
    this.#messages.start();
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  get greeting(): Greeting {
    if (this.#greeting === undefined) throw new TypeError("The agent was not greeted");
    return this.#greeting;
  }

  async greet(signal: AbortSignal): Promise<void> {
    const { name, startTimeoutMs } = this.#options.settings;
    const params = {
      protocolVersion,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "incipit", title: "Incipit", version: "0.1.0" },
    };
    const answer = await this.ask(methods.agent.initialize, params, { signal, timeoutMs: startTimeoutMs });
    const greeting = greetingSchema.safeParse(answer);
    if (!greeting.success) throw this.#broken("initialize");
    if (greeting.data.protocolVersion !== protocolVersion) {
      const message = `The agent "${name}" uses version ${greeting.data.protocolVersion} of the protocol, but Incipit uses version ${protocolVersion}; use another version of the agent`;
      throw new AgentFailure("BAD_RESPONSE", message);
    }
    this.#greeting = greeting.data;
  }

  /**
   * Returns the unparsed answer; late answers are dropped.
   * @throws {AgentFailure} an error of the agent, `TIMEOUT`, or why it ended. The reason of `signal`.
   */
  async ask(
    method: string,
    params: unknown,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs?: number },
  ): Promise<unknown> {
    const { settings, host } = this.#options;
    const work = async (): Promise<unknown> => {
      const answer = this.#connection.agent.request(method, params);
      return unlessAborted(answer, [signal, this.over]);
    };
    try {
      if (timeoutMs === undefined) return await work();
      return await withDeadline(work, { timeoutMs, clock: host.clock });
    } catch (error) {
      signal.throwIfAborted();
      if (this.over.aborted) throw this.over.reason;
      if (error instanceof DeadlineError && timeoutMs !== undefined) {
        const message = `The agent "${settings.name}" did not answer "${method}" within ${timeoutMs / 1_000} s; ${this.#later(method)}`;
        throw new AgentFailure("TIMEOUT", message, { cause: error });
      }
      throw error instanceof RequestError ? this.#refused(method, error) : error;
    }
  }

  async askFor<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    params: unknown,
    options: { readonly signal: AbortSignal; readonly timeoutMs?: number },
  ): Promise<z.output<Schema>> {
    const answer = await this.ask(method, params, options);
    const parsed = schema.safeParse(answer ?? {});
    if (!parsed.success) throw this.#broken(method);
    return parsed.data;
  }

  async cancel(sessionId: string): Promise<void> {
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  /** Lifts the message limit while the agent replays a session. */
  async repeating<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#messages.isCounting = false;
    try {
      return await work();
    } finally {
      this.#messages.isCounting = true;
    }
  }

  async close(reason?: string): Promise<void> {
    await this.#messages.close(reason);
    this.#connection.close();
  }

  #later(method: string): string {
    const { name } = this.#options.settings;
    return method === methods.agent.initialize
      ? `see at a terminal whether its command starts an agent of this protocol, or raise [agents.${name}] start_timeout_seconds`
      : "send your message again, and see at a terminal whether it works when it does not answer then either";
  }

  #broken(method: string): AgentFailure {
    const { name } = this.#options.settings;
    const message = `The agent "${name}" sent an invalid response to "${method}"; use another version of it, or check that [agents.${name}] command starts an ACP agent`;
    return new AgentFailure("BAD_RESPONSE", message);
  }

  #refused(method: string, error: RequestError): AgentFailure {
    const { name, program } = this.#options.settings;
    if (error.code === wrongAnswerCode) {
      const message = `The agent "${name}" ${shortened(error.message)}; send your message again, or use another version of it`;
      return new AgentFailure("BAD_RESPONSE", message, { cause: error });
    }
    const data = errorDataSchema.safeParse(error.data).data;
    const details = typeof data === "string" ? data : (data?.details ?? data?.message ?? "");
    const said = shortened([error.message, details].filter((text) => text !== "").join(": "));
    if (error.code !== loginCode)
      return new AgentFailure(
        "FAILED",
        `The agent "${name}" refused "${method}": ${said}; send your message again, or run "${program}" in a terminal to find the cause`,
        { cause: error },
      );
    const ways = this.#greeting?.authMethods.map(({ id, name: way }) => `"${way === "" ? id : way}"`) ?? [];
    const how = ways.length === 0 ? "" : ` (it knows ${shortened(ways.join(", "), 200)})`;
    const message = `The agent "${name}" requires a login${how}: log in with "${program}" in a terminal, or name the variable with its key in [agents.${name}] env; its message: ${said}`;
    return new AgentFailure("UNAUTHORIZED", message, { cause: error });
  }
}
