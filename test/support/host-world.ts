import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, type Client } from "@incipit/transport-contract";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import {
  HostProcess,
  incipit,
  testedCommand,
  type CommandResult,
  type HostProcessOptions,
} from "./host-process.ts";

export interface HostWorldOptions {
  /** Lines of the configuration between the default model, `local/test`, and the table of its provider. */
  readonly config?: string | ((model: RecordingModelServer, folder: string) => string);
  readonly model?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly isStrict?: boolean;
  /** Further options of the model server. */
  readonly server?: Parameters<typeof startRecordingModelServer>[0];
  /** Working folder, relative to `folder`. */
  readonly work?: string;
  /** Instead of a temporary folder. */
  readonly folder?: string;
}

/** Hosts and commands as processes, with one data folder, one configuration and a recording model. */
export class HostWorld implements AsyncDisposable {
  readonly model: RecordingModelServer;
  readonly folder: string;
  readonly options: HostProcessOptions;
  readonly #scope: AsyncDisposableStack;

  private constructor(
    scope: AsyncDisposableStack,
    { model, folder, options }: Pick<HostWorld, "model" | "folder" | "options">,
  ) {
    this.#scope = scope;
    this.model = model;
    this.folder = folder;
    this.options = options;
  }

  static async create(options: HostWorldOptions = {}): Promise<HostWorld> {
    const { config = "", env = {}, command, isStrict = false, work = "" } = options;
    await using scope = new AsyncDisposableStack();
    const folder = await realpath(options.folder ?? scope.use(await createTempFolder()).path);
    const model = scope.use(await startRecordingModelServer({ isStrict, ...options.server }));
    const cwd = join(folder, work);
    await mkdir(cwd, { recursive: true });
    const lines = typeof config === "string" ? config : config(model, folder);
    const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"`;
    const path = join(folder, "incipit.toml");
    await Bun.write(path, `model = "${options.model ?? "local/test"}"\n${lines}\n${provider}\n`);
    const hosts = { data: join(folder, "data"), config: path, cwd, env };
    return new HostWorld(scope.move(), {
      model,
      folder,
      options: command === undefined ? hosts : { ...hosts, command },
    });
  }

  get cwd(): string {
    return this.options.cwd;
  }

  /** Ends with the world at the latest. */
  async start(more: Partial<HostProcessOptions> = {}): Promise<HostProcess> {
    return this.#scope.use(await HostProcess.start({ ...this.options, ...more }));
  }

  async startWithClient(): Promise<{ readonly host: HostProcess; readonly client: Client }> {
    const host = await this.start();
    return { host, client: createClient({ url: host.url, token: host.token }) };
  }

  run(...args: readonly string[]): Promise<CommandResult> {
    return this.runWith({}, ...args);
  }

  /** @param options Input and variables of the command. */
  runWith(options: Partial<Parameters<typeof incipit>[1]>, ...args: readonly string[]): Promise<CommandResult> {
    const { data, config, cwd, command, env = {} } = this.options;
    const home = this.folder;
    const common = { cwd, home, env, ...(command === undefined ? {} : { command }) };
    return incipit([...args, "--data", data, "--config", config], { ...common, ...options });
  }

  /** For `atTerminal`. */
  sitting(...args: readonly string[]): {
    readonly command: readonly string[];
    readonly cwd: string;
    readonly home: string;
  } {
    const { data, config, cwd, command = testedCommand } = this.options;
    return { command: [...command, ...args, "--data", data, "--config", config], cwd, home: this.folder };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scope.disposeAsync();
  }
}
