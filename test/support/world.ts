import {
  createTempFolder,
  startRecordingModelServer,
  type RecordingModelServer,
  type RecordingModelServerOptions,
} from "@incipit/testkit";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { atTerminal, type AtTerminalOptions, type SeenAtTerminal } from "./at-terminal.ts";
import {
  HostProcess,
  incipit,
  testedCommand,
  type CommandOptions,
  type CommandResult,
  type HostProcessOptions,
} from "./host-process.ts";

export interface WorldOptions {
  /** TOML after `model = "local/test"` and its provider; a function returns the whole file, `null` writes none. */
  readonly config?: string | ((model: RecordingModelServer) => string) | null;
  readonly model?: RecordingModelServerOptions;
  /** Members of the inline table `providers.local.models.test`. */
  readonly facts?: string;
  /** Passed to hosts and commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** Below the working folder. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface WorldParts {
  readonly scope: AsyncDisposableStack;
  readonly home: string;
  readonly model: RecordingModelServer;
  readonly env: Readonly<Record<string, string>>;
  readonly facts: string | undefined;
}

type Answers = NonNullable<AtTerminalOptions["answers"]>;

/** A user's home with a working folder, a configuration and a recording model; hosts and commands are processes. */
export class World implements AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly data: string;
  readonly config: string;
  readonly model: RecordingModelServer;
  readonly scope: AsyncDisposableStack;
  readonly #env: Readonly<Record<string, string>>;
  readonly #facts: string | undefined;

  constructor({ scope, home, model, env, facts }: WorldParts) {
    this.scope = scope;
    this.home = home;
    this.work = join(home, "work");
    this.data = join(home, ".local/share/incipit");
    this.config = join(home, ".config/incipit/incipit.toml");
    this.model = model;
    this.#env = env;
    this.#facts = facts;
  }

  static async start<Own extends World>(
    this: new (parts: WorldParts) => Own,
    { config = "", model: options, env = {}, facts, files = {} }: WorldOptions = {},
  ): Promise<Own> {
    await using scope = new AsyncDisposableStack();
    const { path: home } = scope.use(await createTempFolder());
    const model = scope.use(await startRecordingModelServer(options));
    const world = new this({ scope: scope.move(), home, model, env, facts });
    await mkdir(world.work);
    for (const [name, text] of Object.entries(files)) await world.write(name, text);
    if (config !== null) await world.configure(config);
    return world;
  }

  async configure(config: string | ((model: RecordingModelServer) => string)): Promise<void> {
    const local = ['kind = "openai-compatible"', `base_url = "${this.model.url}"`];
    if (this.#facts !== undefined) local.push(`models.test = { ${this.#facts} }`);
    const head = ['model = "local/test"', ...local.map((line) => `providers.local.${line}`)].join("\n");
    await Bun.write(this.config, typeof config === "function" ? config(this.model) : `${head}\n${config}\n`);
  }

  /** Ends with the world. */
  async host(more: Partial<HostProcessOptions> = {}): Promise<HostProcess> {
    const { data, work: cwd, home } = this;
    return this.scope.use(await HostProcess.start({ data, cwd, home, env: this.#env, ...more }));
  }

  run(args: readonly string[], more: Partial<CommandOptions> = {}): Promise<CommandResult> {
    return incipit(args, { cwd: this.work, home: this.home, env: this.#env, ...more });
  }

  atTerminal(
    args: readonly string[],
    answers: Answers = [],
    more: Partial<AtTerminalOptions> = {},
  ): Promise<SeenAtTerminal> {
    const { work: cwd, home } = this;
    return atTerminal({ command: [...testedCommand, ...args], cwd, home, env: this.#env, answers, ...more });
  }

  path(name: string): string {
    return join(this.work, name);
  }

  /** Below the working folder. */
  async write(name: string, text: string | Uint8Array): Promise<void> {
    await Bun.write(this.path(name), text);
  }

  read(name: string): Promise<string> {
    return Bun.file(this.path(name)).text();
  }

  has(name: string): Promise<boolean> {
    return Bun.file(this.path(name)).exists();
  }

  /** Bodies of the model's requests. */
  get bodies(): readonly string[] {
    return this.model.requests.map(({ body }) => body);
  }

  get lastBody(): string {
    return this.model.requests.at(-1)?.body ?? "";
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.scope.disposeAsync();
  }
}
