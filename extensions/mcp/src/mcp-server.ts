import { LinkedSignal, type Host, type Storage } from "@incipit/kernel";
import type { Tool, ToolAnswer, ToolOfServer, ToolServer, ToolSourceAnswer } from "@incipit/service-contract";
import * as z from "zod";
import { listedTools, type ListedTool, type ListedTools } from "./listed-tools.ts";
import { boundInstructions, readableInstructions } from "./instructions-text.ts";
import { maxStarts, startWindowMs, toldFailureMs } from "./limits.ts";
import { resultAnswer } from "./result-answer.ts";
import type { ConnectionWork, ServerConnection } from "./server-connection.ts";
import { failureText, ServerFailure, SessionBroken, SessionForgotten } from "./server-failure.ts";
import { unlessAborted } from "@incipit/common";
import type { SkippedLines } from "@incipit/common/programs";
import { ProgramSecrets } from "@incipit/redaction";
import type { Root } from "./root-of.ts";
import { identityOf, type Approval, type ServerSettings } from "./settings.ts";
import type { SignIn } from "./sign-in.ts";
import { ServerPrompts } from "./server-prompts.ts";
import { ServerResources } from "./server-resources.ts";
import { StartLimit } from "./start-limit.ts";

type CallIn = <Answer>(cwd: string, call: (server: McpServer) => Promise<Answer>) => Promise<Answer>;

export interface McpServerOptions {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly host: Pick<Host, "spawn" | "net" | "env" | "log" | "clock" | "waitUntil">;
  readonly signIns?: Storage;
  readonly secrets?: readonly string[];
  readonly roots?: readonly Root[];
  readonly isClients?: boolean;
  readonly callIn?: CallIn;
  readonly onChange?: () => void;
}

interface Known extends ListedTools {
  readonly instructions: string | null;
}

export type ServerInstructions =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "nothing"; readonly problem?: string };

export interface InstructionsQuestion {
  readonly isUsable: (tool: string) => boolean;
  readonly mayStart: boolean;
  readonly signal: AbortSignal;
}

export const notStarted: ServerInstructions = {
  kind: "nothing",
  problem: "was not started yet: its instructions are unknown",
};

type CallContext = Pick<Parameters<Tool["execute"]>[1], "conversationId" | "signal" | "tellProgress" | "askValues">;

const inputSchema = z.record(z.string(), z.json());

/** Starts on first use, and again after its end, within limits; concurrent callers share a start. */
export class McpServer {
  readonly #options: McpServerOptions;
  readonly #secrets: ProgramSecrets;
  readonly #limit: StartLimit;
  readonly #closing = new AbortController();
  #connection: Promise<ServerConnection> | undefined;
  #listed: Promise<Known> | undefined;
  #phase: ToolServer["state"] = "idle";
  #known: Known | undefined;
  #lastFailure = "";
  /** Why listing the tools failed although the server runs. */
  #listFailure: string | undefined;
  #skipped: SkippedLines | undefined;
  #toldFailure: { readonly error: unknown; readonly untilMs: number } | undefined;
  #signIn: Promise<SignIn> | undefined;
  readonly prompts: ServerPrompts;
  readonly resources: ServerResources;
  readonly #calls = new Set<Promise<unknown>>();

  constructor(options: McpServerOptions) {
    this.#options = options;
    this.#secrets = new ProgramSecrets(options.host.env, options.secrets);
    this.#limit = new StartLimit(options.host.clock);
    const given = {
      name: options.name,
      clock: options.host.clock,
      redact: (text: string) => this.#secrets.redact(text),
      connected: <Result>(work: ConnectionWork<Result>, signal: AbortSignal) => this.#inSession(work, signal),
    };
    this.prompts = new ServerPrompts(given);
    this.resources = new ServerResources(given);
  }

  get name(): string {
    return this.#options.name;
  }

  redact(text: string): string {
    return this.#secrets.redact(text);
  }

  state(): ToolServer {
    const { name, settings } = this.#options;
    const target = settings.kind === "http" ? settings.url : [settings.command, ...settings.args].join(" ");
    const known = this.#known;
    return {
      name,
      target: this.#secrets.redact(target),
      state: this.#phase,
      error: this.#phase === "failed" ? this.#secrets.redact(this.#lastFailure) : null,
      tools: known?.tools.map((tool) => this.#shown(tool)) ?? null,
      problems: [
        ...(known?.problems ?? []),
        ...(this.#phase === "running" && this.#listFailure !== undefined
          ? [`did not list its tools: it ${this.#listFailure}`]
          : []),
        ...(this.#skipped === undefined ? [] : [skippedText(this.#skipped)]),
      ].map((problem) => this.#secrets.redact(problem)),
      instructions: known?.instructions ?? null,
    };
  }

  #shown({ name, ownName, description, isReadOnly }: ListedTool): ToolOfServer {
    const approval = this.#approval(ownName) ?? (isReadOnly ? "allow" : "ask");
    return { name, description, isReadOnly, approval };
  }

  #approval(ownName: string): Approval | undefined {
    const { approve, tools, enabledTools } = this.#options.settings;
    if (enabledTools?.includes(ownName) === false) return "deny";
    return (Object.hasOwn(tools, ownName) ? tools[ownName]?.approve : undefined) ?? approve;
  }

  /** Never rejects: errors are reported as problems. The server continues to start after an abort. */
  async tools(
    signal: AbortSignal,
    { isAnew = false }: { readonly isAnew?: boolean } = {},
  ): Promise<ToolSourceAnswer> {
    try {
      if (!isAnew) this.#throwToldFailure();
      const { tools, problems } = await unlessAborted(this.#list(), [signal]);
      return {
        tools: tools.filter(({ ownName }) => this.#approval(ownName) !== "deny").map((tool) => this.#tool(tool)),
        problems: problems.map((problem) => this.#says(problem)),
      };
    } catch (error) {
      return { tools: [], problems: [this.#says(signal.aborted ? "is still starting" : failureText(error))] };
    }
  }

  get hasInstructions(): boolean {
    return this.#options.settings.hasInstructions;
  }

  /** Never rejects. The server continues to start after an abort. */
  async instructions({ isUsable, mayStart, signal }: InstructionsQuestion): Promise<ServerInstructions> {
    try {
      if (mayStart) this.#throwToldFailure();
      const isAsked = mayStart || this.#connection !== undefined;
      const known = isAsked ? await unlessAborted(this.#list(), [signal]) : this.#known;
      if (known === undefined) return notStarted;
      const { tools, instructions } = known;
      const isUseful = tools.some(({ name, ownName }) => this.#approval(ownName) !== "deny" && isUsable(name));
      return instructions === null || !isUseful ? { kind: "nothing" } : { kind: "text", text: instructions };
    } catch (error) {
      if (signal.aborted) return { kind: "nothing", problem: "is still starting" };
      const untilMs = this.#options.host.clock.now() + toldFailureMs;
      this.#toldFailure ??= { error, untilMs };
      return { kind: "nothing", problem: this.#secrets.redact(failureText(error)) };
    }
  }

  /** Tools are listed right after the prompt: a server that just failed is not started again for it. */
  #throwToldFailure(): void {
    const failure = this.#toldFailure;
    if (failure === undefined) return;
    if (failure.untilMs > this.#options.host.clock.now()) throw failure.error;
    this.#toldFailure = undefined;
  }

  signIn(): Promise<SignIn | undefined> {
    const { name, settings, host, signIns: storage } = this.#options;
    if (settings.kind !== "http" || settings.signIn === undefined || storage === undefined)
      return Promise.resolve(undefined);
    const { url, signIn } = settings;
    return (this.#signIn ??= import("./sign-in.ts").then(
      ({ SignIn }) =>
        new SignIn({
          name,
          url,
          settings: signIn,
          net: host.net,
          clock: host.clock,
          storage,
          readSecret: (variable) => this.#secrets.read(variable),
          onSecret: (value) => this.#secrets.add(value),
        }),
    ));
  }

  async reset(): Promise<void> {
    await this.#end(new ServerFailure("ended, as its sign-in has changed"));
    this.#limit.forget();
    this.#toldFailure = undefined;
    this.#listFailure = undefined;
    this.#known = undefined;
    this.#enter("idle");
  }

  async rest(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }

  async close(): Promise<void> {
    const stopped = new ServerFailure("was stopped");
    this.#closing.abort(stopped);
    await this.#end(stopped);
  }

  #says(text: string): string {
    return this.#secrets.redact(`The MCP server "${this.#options.name}" ${text}`);
  }

  #list(): Promise<Known> {
    if (this.#listed !== undefined) return this.#listed;
    const listed = this.#readList();
    this.#listed = listed;
    listed.catch(() => {
      if (this.#listed === listed) this.#listed = undefined;
    });
    return listed;
  }

  async #readList(): Promise<Known> {
    const { name, settings, host } = this.#options;
    await this.#connected();
    const late = new AbortController();
    const { startTimeoutMs } = settings;
    const failure = new ServerFailure(`did not list its tools within ${startTimeoutMs / 1_000} s`);
    const cancel = host.clock.setTimer(() => late.abort(failure), startTimeoutMs);
    try {
      const {
        entries,
        isCut,
        problems,
        instructions = "",
      } = await this.#inSession(
        async (connection) => ({
          ...(await connection.list("tools", late.signal)),
          instructions: connection.instructions,
        }),
        late.signal,
      );
      const listed = listedTools(name, entries);
      const tools = listed.tools.filter((tool) => !this.#givesAway(tool));
      const left = listed.tools.length - tools.length;
      const given = left === 0 ? [] : [`describes ${left} tools with one of its secrets; they are skipped`];
      const said = settings.hasInstructions ? instructions : "";
      const readable = readableInstructions(said);
      const isSecret = [said, readable].some((text) => this.#secrets.redact(text) !== text);
      const isTold = readable !== "" && !isSecret;
      const all = [
        ...listed.problems,
        ...problems,
        ...given,
        ...(isSecret ? ["has instructions that contain one of its secrets; they are skipped"] : []),
        ...(isCut ? ["lists more tools than are read"] : []),
        ...this.#unknownTools(tools),
      ];
      for (const problem of all) host.log.warn(this.#says(problem));
      this.#known = {
        tools,
        problems: all,
        instructions: isTold ? boundInstructions(readable, Buffer.byteLength(said)) : null,
      };
      this.#listFailure = undefined;
      this.#options.onChange?.();
      return this.#known;
    } catch (error) {
      if (late.signal.aborted) await this.#end(failure);
      this.#listFailure = failureText(error);
      throw error;
    } finally {
      cancel();
    }
  }

  /** Models would read a secret in a definition, and the host would store it. */
  #givesAway({ name, description, inputSchema: schema }: ListedTool): boolean {
    const text = JSON.stringify([name, description, schema]);
    return this.#secrets.redact(text) !== text;
  }

  /** Returns configured tool names that the server lacks: a misspelt `deny` would deny nothing. */
  #unknownTools(tools: readonly ListedTool[]): readonly string[] {
    const known = new Set(tools.map(({ ownName }) => ownName));
    const { tools: approved, enabledTools = [] } = this.#options.settings;
    const missing = (names: readonly string[]): readonly string[] => names.filter((name) => !known.has(name));
    return [
      ...missing(Object.keys(approved)).map(
        (tool) => `has no tool "${tool}", which "approve" in the configuration names`,
      ),
      ...missing(enabledTools).map((tool) => `has no tool "${tool}", which the configuration names`),
    ];
  }

  #tool(listed: ListedTool): Tool {
    const { name, ownName, description, inputSchema: schema, isReadOnly } = listed;
    const approval = this.#approval(ownName);
    const { name: server, settings, isClients } = this.#options;
    return {
      name,
      description,
      inputSchema: schema,
      isReadOnly,
      server: {
        name: server,
        ...(settings.defer === undefined ? {} : { defer: settings.defer }),
        ...(isClients === undefined ? {} : { isClients }),
        identity: identityOf(settings),
      },
      ...(approval === undefined ? {} : { approval }),
      execute: (input, { cwd, ...context }) => {
        const { callIn } = this.#options;
        if (callIn === undefined) return this.call(listed, input, context);
        return callIn(cwd, (server) => server.call(listed, input, context));
      },
    };
  }

  /** Accepts tools listed by another server of the same settings. */
  call(tool: ListedTool, input: unknown, context: CallContext): Promise<string | ToolAnswer> {
    const call = this.#call(tool, input, context);
    this.#calls.add(call);
    void call.catch(() => undefined).then(() => this.#calls.delete(call));
    this.#options.host.waitUntil(call); // A swap waits for it: the server ends with this generation.
    return call;
  }

  async #call(
    tool: ListedTool,
    input: unknown,
    { signal, tellProgress, ...asked }: CallContext,
  ): Promise<string | ToolAnswer> {
    const args = inputSchema.safeParse(input);
    if (!args.success) throw new Error(`Cannot call "${tool.name}": its arguments are no JSON object`);
    let answer: ToolAnswer;
    let isError: boolean | undefined;
    const unanswered = new Set<string>();
    try {
      const options: Parameters<ServerConnection["call"]>[2] = {
        signal,
        asking: { ...asked, onUnanswered: (why) => unanswered.add(why) },
        onProgress: ({ progress, total, message }) =>
          tellProgress?.({
            progress,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message: this.redact(message) }),
          }),
      };
      const result = await this.#inSession((connection) => connection.call(tool, args.data, options), signal);
      const { text, files } = this.#withoutSecrets(resultAnswer(result));
      const notes = [...unanswered].map((why) => `[${this.#says(`asked the user something, and ${why}`)}]`);
      answer = { text: [text, ...notes].join("\n"), files };
      isError = result.isError;
    } catch (cause) {
      signal.throwIfAborted();
      throw new Error(`Cannot call "${tool.name}". ${this.#says(failureText(cause))}`, { cause });
    }
    if (isError === true) throw new Error(answer.text);
    return answer.files.length === 0 ? answer.text : answer;
  }

  /** Removes secrets from texts, and omits files that contain one, for example in an image's metadata. */
  #withoutSecrets({ text, files }: ToolAnswer): ToolAnswer {
    const kept = files.filter(({ data }) => {
      const content = Buffer.from(data, "base64").toString();
      return this.#secrets.redact(content) === content;
    });
    const left = files.length - kept.length;
    const notes = left === 0 ? [] : [`[files with a secret of the server (${left}) are left out]`];
    return { text: [this.#secrets.redact(text), ...notes].join("\n"), files: kept };
  }

  /** Repeats the work when the server has forgotten the session. */
  async #inSession<Result>(work: ConnectionWork<Result>, signal: AbortSignal): Promise<Result> {
    try {
      return await work(await unlessAborted(this.#connected(), [signal]));
    } catch (error) {
      if (!(error instanceof SessionForgotten) || signal.aborted) throw error;
      return work(await unlessAborted(this.#connected(), [signal]));
    }
  }

  async #end(failure: ServerFailure): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined); // A failed connection needs no closing.
    await connection?.close(failure);
  }

  #enter(phase: ToolServer["state"]): void {
    this.#phase = phase;
    this.#options.onChange?.();
  }

  #connected(): Promise<ServerConnection> {
    if (this.#connection !== undefined) return this.#connection;
    this.#enter("starting");
    const opening = this.#open();
    this.#connection = opening;
    const forget = (): void => {
      if (this.#connection !== opening) return;
      this.#connection = undefined;
      this.#listed = undefined;
    };
    opening.then(
      ({ over }) => {
        this.#enter("running");
        this.#toldFailure = undefined;
        const end = (): void => {
          this.#lastFailure = failureText(over.reason);
          const isForgotten = over.reason instanceof SessionForgotten || over.reason instanceof SessionBroken;
          this.#enter(this.#closing.signal.aborted || isForgotten ? "idle" : "failed");
          if (isForgotten) this.#limit.forgetLast();
          else this.#limit.end();
          if (!this.#closing.signal.aborted) this.#options.host.log.warn(this.#says(this.#lastFailure));
          forget();
        };
        if (over.aborted) end();
        else over.addEventListener("abort", end, { once: true });
      },
      (error: unknown) => {
        this.#lastFailure = failureText(error);
        this.#enter("failed");
        forget();
      },
    );
    return opening;
  }

  async #open(): Promise<ServerConnection> {
    const { host, settings } = this.#options;
    this.#closing.signal.throwIfAborted();
    this.#skipped = undefined;
    const waitMs = this.#limit.take();
    if (waitMs > 0) {
      const often = `was started ${maxStarts} times within ${startWindowMs / 60_000} min and did not stay`;
      throw new ServerFailure(
        `${often} (it ${this.#lastFailure}); it can be started again in ${Math.ceil(waitMs / 1_000)} s`,
      );
    }
    const { startTimeoutMs } = settings;
    const late = new AbortController();
    const failure = new ServerFailure(`did not start within ${startTimeoutMs / 1_000} s`);
    const cancel = host.clock.setTimer(() => late.abort(failure), startTimeoutMs);
    using either = new LinkedSignal(late.signal, this.#closing.signal);
    try {
      const { openConnection } = await import("./server-connection.ts");
      return await openConnection(
        {
          ...this.#options,
          secrets: this.#secrets,
          signIn: await this.signIn(),
          onListChange: () => (this.#listed = undefined),
          onSkipped: (skipped) => {
            this.#skipped = skipped;
            if (skipped.count === 1) this.#options.onChange?.();
          },
        },
        either.signal,
      );
    } catch (error) {
      this.#lastFailure = failureText(error);
      host.log.warn(this.#says(this.#lastFailure));
      throw error;
    } finally {
      cancel();
    }
  }
}

function skippedText({ count, first }: SkippedLines): string {
  const what = count === 1 ? "a line that is not an MCP message" : `${count} lines that are not MCP messages`;
  return `printed ${what} to its standard output; the host skipped ${count === 1 ? "it" : "them, the first one"}: ${first}`;
}
