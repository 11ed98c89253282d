import { errorMessage, type Host, type Storage } from "@incipit/kernel";
import type { CommandCall } from "@incipit/schema";
import {
  ServiceError,
  type OfferedMessage,
  type ResourceContent,
  type ResourceList,
  type ToolServer,
  type ToolSourceAnswer,
} from "@incipit/service-contract";
import { folderIdleMs, maxFolders } from "./limits.ts";
import type { ListedPrompts } from "./listed-prompts.ts";
import { McpServer, notStarted, type InstructionsQuestion, type ServerInstructions } from "./mcp-server.ts";
import { rootOf } from "./root-of.ts";
import type { PromptListOptions } from "./server-prompts.ts";
import { settingsIn, type ServerSettings } from "./settings.ts";
import type { SignIn } from "./sign-in.ts";

export interface ConfiguredServerOptions {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly host: Pick<Host, "spawn" | "net" | "env" | "log" | "clock" | "waitUntil">;
  readonly signIns: Storage;
}

interface Instance {
  readonly server: McpServer;
  readonly folder: string | undefined;
  users: number;
  cancelIdle: () => void;
}

const phases = ["running", "starting", "failed", "idle"] as const satisfies readonly ToolServer["state"][];

/** One instance for all, or one per working folder, which ends when idle. */
export class ConfiguredServer {
  readonly #options: ConfiguredServerOptions;
  readonly #closing = new Set<Promise<void>>();
  readonly #byFolder = new Map<string, Instance>();
  /** Never started when each folder has its own. */
  readonly #shared: Instance;
  readonly #isPerFolder: boolean;
  #isClosed = false;
  #ended: ToolServer | undefined;

  constructor(options: ConfiguredServerOptions) {
    this.#options = options;
    this.#isPerFolder = options.settings.kind === "stdio" && options.settings.isPerFolder;
    this.#shared = this.#newInstance(undefined);
  }

  get name(): string {
    return this.#options.name;
  }

  get hasInstructions(): boolean {
    return this.#options.settings.hasInstructions;
  }

  redact(text: string): string {
    return this.#shared.server.redact(text);
  }

  state(): ToolServer {
    const own = this.#shared.server.state();
    if (!this.#isPerFolder) return own;
    const states = [...this.#byFolder.values()].map(({ server }) => server.state());
    const best = phases.flatMap((phase) => states.findLast(({ state }) => state === phase) ?? []);
    const { target } = own; // Contains "$cwd", which marks a server as per folder.
    return { ...(best[0] ?? this.#ended ?? own), target };
  }

  async tools(
    folder: string,
    signal: AbortSignal,
    options: { readonly isAnew?: boolean } = {},
  ): Promise<ToolSourceAnswer> {
    try {
      return await this.#use(folder, ({ server }) => server.tools(signal, options));
    } catch (error) {
      return { tools: [], problems: [errorMessage(error)] };
    }
  }

  async instructions(folder: string, question: InstructionsQuestion): Promise<ServerInstructions> {
    try {
      if (!question.mayStart && this.#isPerFolder && !this.#byFolder.has(folder)) return notStarted;
      return await this.#use(folder, ({ server }) => server.instructions(question));
    } catch (error) {
      return { kind: "nothing", problem: errorMessage(error) };
    }
  }

  async prompts(folder: string, options: PromptListOptions): Promise<ListedPrompts> {
    try {
      return await this.#use(folder, ({ server }) => server.prompts.list(options));
    } catch (error) {
      return { prompts: [], problems: [errorMessage(error)] };
    }
  }

  promptMessage(
    folder: string,
    call: CommandCall,
    options: { readonly signal: AbortSignal },
  ): Promise<OfferedMessage> {
    return this.#use(folder, ({ server }) => server.prompts.message(call, options));
  }

  resources(folder: string, signal: AbortSignal): Promise<ResourceList> {
    return this.#use(folder, ({ server }) => server.resources.list(signal));
  }

  readResource(
    folder: string,
    uri: string,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly ResourceContent[]> {
    return this.#use(folder, ({ server }) => server.resources.read(uri, options.signal));
  }

  signIn(): Promise<SignIn | undefined> {
    return this.#shared.server.signIn();
  }

  /** Ends the session, so that the next one uses the current sign-in. */
  reset(): Promise<void> {
    return this.#shared.server.reset();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const instances = [this.#shared, ...this.#byFolder.values()];
    for (const { cancelIdle } of instances) cancelIdle();
    await Promise.all([...instances.map(({ server }) => server.close()), ...this.#closing]);
  }

  #newInstance(folder: string | undefined): Instance {
    const { settings, ...options } = this.#options;
    const hasRoots = settings.kind === "stdio" && settings.hasRoots && folder !== undefined;
    const server = new McpServer({
      ...options,
      settings: folder === undefined ? settings : settingsIn(settings, folder),
      callIn: (cwd, call) => this.#use(cwd, (instance) => call(instance.server)),
      ...(hasRoots ? { roots: [rootOf(folder)] } : {}),
    });
    return { server, folder, users: 0, cancelIdle: () => {} };
  }

  #at(folder: string): Instance {
    if (!this.#isPerFolder || this.#isClosed) return this.#shared;
    let instance = this.#byFolder.get(folder);
    if (instance === undefined) {
      if (this.#byFolder.size >= maxFolders) this.#makeRoom();
      instance = this.#newInstance(folder);
    }
    this.#byFolder.delete(folder);
    this.#byFolder.set(folder, instance);
    return instance;
  }

  async #use<Answer>(folder: string, use: (instance: Instance) => Promise<Answer>): Promise<Answer> {
    const instance = this.#at(folder);
    instance.cancelIdle();
    instance.users += 1;
    try {
      return await use(instance);
    } finally {
      instance.users -= 1;
      this.#endWhenIdle(instance);
    }
  }

  /** @throws {ServiceError} `TOOL_SERVER_LIMIT` when all instances are busy. */
  #makeRoom(): void {
    const idle = [...this.#byFolder.values()].find(({ users }) => users === 0);
    if (idle !== undefined) {
      this.#end(idle);
      return;
    }
    const message = `The MCP server "${this.name}" already runs for ${maxFolders} working folders, the maximum; try again when one is done`;
    throw new ServiceError("TOOL_SERVER_LIMIT", message);
  }

  #endWhenIdle(instance: Instance): void {
    const { folder, users } = instance;
    if (this.#isClosed || folder === undefined || users > 0 || this.#byFolder.get(folder) !== instance) return;
    instance.cancelIdle();
    instance.cancelIdle = this.#options.host.clock.setTimer(() => this.#end(instance), folderIdleMs);
  }

  #end({ server, folder = "", cancelIdle }: Instance): void {
    cancelIdle();
    this.#byFolder.delete(folder);
    this.#ended = { ...server.state(), state: "idle", error: null };
    this.#close(server.close());
  }

  #close(closing: Promise<void>): void {
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}
