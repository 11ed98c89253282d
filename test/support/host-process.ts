import { turnEventSchema, type Conversation, type TurnEvent, type TurnId } from "@incipit/schema";
import {
  conversationResponseSchema,
  createClient,
  promptConstructionsResponseSchema,
  turnAcceptedResponseSchema,
  type Client,
} from "@incipit/transport-contract";
import { join } from "node:path";
import * as z from "zod";

export const mainPath = join(import.meta.dir, "../../packages/host-bin/src/main.ts");

/** Runs the command from source, without the configuration that Bun would load from the working folder. */
export const sourceCommand: readonly string[] = [
  process.execPath,
  "--no-env-file",
  "--config=/dev/null",
  "--tsconfig-override=/dev/null",
  mainPath,
];

const built = process.env["CHECK_BUILT"];

/**
 * The checks test the built file, which starts in a third of the time; a single test runs the source. The README, the
 * guides and the attacks also run the source in the checks.
 */
export const testedCommand: readonly string[] = built === undefined ? sourceCommand : [built];

const readySchema = z.object({ url: z.string(), page: z.string(), token: z.string(), pid: z.int() });

/** Without the developer's keys and settings. */
function childEnv(home: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", ...extra };
}

export interface HostProcessOptions {
  readonly data: string;
  readonly config: string;
  readonly cwd: string;
  /** Defaults to the parent of `data`. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly port?: number;
}

/** `incipit serve` as a separate process, with the typed client and a plain one for its API. */
export class HostProcess implements AsyncDisposable {
  readonly url: string;
  readonly page: string;
  readonly token: string;
  readonly client: Client;
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly #stderr: Promise<string>;

  private constructor(
    child: Bun.Subprocess<"ignore", "pipe", "pipe">,
    ready: z.infer<typeof readySchema>,
    stderr: Promise<string>,
  ) {
    this.#child = child;
    this.url = ready.url;
    this.page = ready.page;
    this.token = ready.token;
    this.client = createClient({ url: this.url, token: this.token });
    this.#stderr = stderr;
  }

  /** Without `config`, the host reads the user's file in `home`. */
  static async start(
    options: Omit<HostProcessOptions, "config"> & Partial<Pick<HostProcessOptions, "config">>,
  ): Promise<HostProcess> {
    const child = Bun.spawn(
      [
        ...(options.command ?? testedCommand),
        "serve",
        "--port",
        String(options.port ?? 0),
        "--json",
        "--data",
        options.data,
        ...(options.config === undefined ? [] : ["--config", options.config]),
      ],
      {
        cwd: options.cwd,
        env: childEnv(options.home ?? join(options.data, ".."), options.env),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const stderr = new Response(child.stderr).text();
    const reader = child.stdout.getReader();
    const decoder = new TextDecoder();
    let line = "";
    while (!line.includes("\n")) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The host ended before it was ready: ${await stderr}`);
      line += decoder.decode(value, { stream: true });
    }
    reader.releaseLock();
    return new HostProcess(child, readySchema.parse(JSON.parse(line)), stderr);
  }

  get pid(): number {
    return this.#child.pid;
  }

  stderr(): Promise<string> {
    return this.#stderr;
  }

  fetch(
    path: string,
    options: { readonly method?: string; readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: options.method ?? (options.body === undefined ? "GET" : "POST"),
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json", ...options.headers },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(120_000),
    });
  }

  async json(path: string, options: Parameters<HostProcess["fetch"]>[1] = {}): Promise<unknown> {
    const response = await this.fetch(path, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${path}: ${text}`);
    return JSON.parse(text);
  }

  async createConversation(body: Readonly<Record<string, string>> = {}): Promise<Conversation> {
    return conversationResponseSchema.parse(await this.json("/conversations", { body })).conversation;
  }

  async conversation(id: string): Promise<Conversation> {
    return conversationResponseSchema.parse(await this.json(`/conversations/${id}`)).conversation;
  }

  async constructions(id: string): Promise<z.infer<typeof promptConstructionsResponseSchema>> {
    return promptConstructionsResponseSchema.parse(
      await this.json(`/conversations/${id}/system-prompt/constructions`),
    );
  }

  async turn(conversationId: string, body: unknown): Promise<readonly TurnEvent[]> {
    const response = await this.fetch(`/conversations/${conversationId}/turns`, { body });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return parseEvents(await response.text());
  }

  /** Sends a message without waiting for the answer. */
  async send(conversationId: string, message: string | Readonly<Record<string, unknown>>): Promise<TurnId> {
    const body = typeof message === "string" ? { input: message } : message;
    const path = `/conversations/${conversationId}/turns`;
    const accepted = await this.json(path, { body, headers: { prefer: "respond-async" } });
    return turnAcceptedResponseSchema.parse(accepted).turnId;
  }

  async kill(signal: "SIGKILL" | "SIGTERM"): Promise<number> {
    this.#child.kill(signal);
    return this.#child.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill("SIGKILL");
  }
}

export function parseEvents(body: string): readonly TurnEvent[] {
  // Splits at line feeds only: `.` of a regular expression also ends at U+2028.
  const lines = body.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => turnEventSchema.parse(JSON.parse(line.slice("data: ".length))));
}

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array<ArrayBuffer>;
  readonly command?: readonly string[];
}

/** Starts a command whose output is piped. */
export function spawnIncipit<Stdin extends Bun.SpawnOptions.Writable>(
  args: readonly string[],
  stdin: Stdin,
  { command = testedCommand, cwd, home, env }: Omit<CommandOptions, "input">,
): Bun.Subprocess<Stdin, "pipe", "pipe"> {
  const options = { cwd, env: childEnv(home, env), stdin, stdout: "pipe", stderr: "pipe" } as const;
  return Bun.spawn([...command, ...args], options);
}

export async function incipit(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { input, ...rest } = options;
  return resultOf(spawnIncipit(args, input === undefined ? "ignore" : new Blob([input]), rest));
}

export async function resultOf(
  child: Bun.Subprocess<Bun.SpawnOptions.Writable, "pipe", "pipe">,
): Promise<CommandResult> {
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
