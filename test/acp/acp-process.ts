import {
  client,
  methods,
  ndJsonStream,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type InitializeResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { join } from "node:path";
import { testedCommand, type HostProcessOptions } from "../support/host-process.ts";
import { Changes } from "./changes.ts";

export interface AcpProcessOptions extends Omit<HostProcessOptions, "port"> {
  readonly args?: readonly string[];
  readonly capabilities?: ClientCapabilities;
}

type AnswerPermission = (
  request: RequestPermissionRequest,
  signal: AbortSignal,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

export function chosen(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: "selected", optionId } };
}

export function spawnAcp(options: AcpProcessOptions): Bun.Subprocess<"pipe", "pipe", "pipe"> {
  const { command = testedCommand, args = [], data, config, cwd, env } = options;
  return Bun.spawn([...command, "acp", "--data", data, "--config", config, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: join(data, ".."), LANG: "C.UTF-8", ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

function inputOf({ stdin }: Bun.Subprocess<"pipe", "pipe", "pipe">): WritableStream<Uint8Array> {
  return new WritableStream({
    async write(bytes) {
      await stdin.write(bytes);
      await stdin.flush();
    },
  });
}

export class AcpProcess implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #stderr: Promise<string>;
  readonly #connection: ClientConnection;
  readonly #told: SessionNotification[] = [];
  readonly #asked: RequestPermissionRequest[] = [];
  readonly #changes = new Changes();
  #introduction: InitializeResponse | undefined;
  answer: AnswerPermission = () => new Promise(() => {});

  readonly forms: CreateElicitationRequest[] = [];
  answerForm: (form: CreateElicitationRequest) => Promise<CreateElicitationResponse> = () => new Promise(() => {});

  private constructor(options: AcpProcessOptions) {
    const child = spawnAcp(options);
    this.#child = child;
    this.#stderr = new Response(child.stderr).text();
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
        this.#changes.tell();
        return this.answerForm(params);
      })
      .connect(ndJsonStream(inputOf(child), child.stdout));
  }

  static async start(options: AcpProcessOptions): Promise<AcpProcess> {
    const editor = new AcpProcess(options);
    editor.#introduction = await editor.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: options.capabilities ?? {},
      clientInfo: { name: "test", version: "1" },
    });
    return editor;
  }

  get agent(): ClientContext {
    return this.#connection.agent;
  }

  get introduction(): InitializeResponse {
    if (this.#introduction === undefined) throw new Error("It was not initialized");
    return this.#introduction;
  }

  get asked(): readonly RequestPermissionRequest[] {
    return this.#asked;
  }

  get pid(): number {
    return this.#child.pid;
  }

  get exited(): Promise<number> {
    return this.#child.exited;
  }

  stderr(): Promise<string> {
    return this.#stderr;
  }

  async newSession(cwd: string): Promise<string> {
    return (await this.agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId;
  }

  prompt(sessionId: string, text: string): Promise<{ readonly stopReason: string }> {
    return this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  }

  updates(sessionId: string): readonly SessionUpdate[] {
    return this.#told.filter((one) => one.sessionId === sessionId).map(({ update }) => update);
  }

  updatesOf<Kind extends SessionUpdate["sessionUpdate"]>(
    sessionId: string,
    kind: Kind,
  ): readonly Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    const isOfKind = (update: SessionUpdate): update is Extract<SessionUpdate, { sessionUpdate: Kind }> =>
      update.sessionUpdate === kind;
    return this.updates(sessionId).filter(isOfKind);
  }

  said(
    sessionId: string,
    kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" = "agent_message_chunk",
  ): string {
    return this.updatesOf(sessionId, kind)
      .map(({ content }) => (content.type === "text" ? content.text : `[${content.type}]`))
      .join("");
  }

  forget(): void {
    this.#told.length = 0;
  }

  waitFor(condition: (editor: AcpProcess) => boolean): Promise<void> {
    return this.#changes.until(() => condition(this));
  }

  async leave(): Promise<number> {
    await this.#child.stdin.end();
    return this.#child.exited;
  }

  kill(signal: NodeJS.Signals): Promise<number> {
    this.#child.kill(signal);
    return this.#child.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill("SIGKILL");
  }
}
