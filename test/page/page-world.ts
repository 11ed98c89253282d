import type { ConversationId } from "@incipit/schema";
import {
  createTempFolder,
  exportedConversation,
  startRecordingModelServer,
  type ExportedMessage,
  type RecordingModelServer,
} from "@incipit/testkit";
import { createClient, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";
import { ownPort } from "../support/own-port.ts";
import { testBrowser, type BrowserKind } from "./browser.ts";
import { longestWaitMs } from "./until.ts";

export interface PageWorldOptions {
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly top?: string;
  readonly command?: readonly string[];
  readonly port?: number;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly browser?: BrowserKind;
}

export class PageWorld implements AsyncDisposable {
  readonly model: RecordingModelServer;
  readonly context: BrowserContext;
  readonly complaints: string[] = [];
  readonly #options: HostProcessOptions;
  readonly #resources: AsyncDisposableStack;
  #host: HostProcess;

  private constructor(parts: {
    readonly model: RecordingModelServer;
    readonly context: BrowserContext;
    readonly options: HostProcessOptions;
    readonly host: HostProcess;
    readonly resources: AsyncDisposableStack;
  }) {
    this.model = parts.model;
    this.context = parts.context;
    this.#options = parts.options;
    this.#host = parts.host;
    this.#resources = parts.resources;
  }

  static async start({
    config = "",
    env = {},
    top = "",
    command,
    port,
    viewport,
    colorScheme,
    browser: kind,
  }: PageWorldOptions = {}): Promise<PageWorld> {
    await using building = new AsyncDisposableStack();
    const folder = building.use(await createTempFolder());
    const model = building.use(await startRecordingModelServer());
    const options = {
      data: join(folder.path, "data"),
      config: join(folder.path, "incipit.toml"),
      cwd: folder.path,
      env,
      port: port ?? (await ownPort()),
    };
    const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
    await Bun.write(options.config, `model = "local/test"\n${top}${provider}${config}`);
    const host = await HostProcess.start({ ...options, ...(command === undefined ? {} : { command }) });
    const browser = await testBrowser(kind);
    const context = await browser.newContext({
      ...(viewport === undefined ? {} : { viewport }),
      ...(colorScheme === undefined ? {} : { colorScheme }),
    });
    context.setDefaultTimeout(longestWaitMs);
    building.defer(() => context.close());
    return new PageWorld({ model, context, options, host, resources: building.move() });
  }

  get host(): HostProcess {
    return this.#host;
  }

  get folder(): string {
    return this.#options.cwd;
  }

  get client(): Client {
    return createClient({ url: this.#host.url, token: this.#host.token });
  }

  async importConversation(title: string, messages: readonly ExportedMessage[]): Promise<ConversationId> {
    const exported = exportedConversation({ title, cwd: this.folder, model: "local/test", messages });
    return (await this.client.importConversation(exported)).id;
  }

  async signIn(): Promise<Page> {
    const page = await this.newTab();
    await page.goto(this.#host.page);
    await page.getByRole("navigation").waitFor();
    return page;
  }

  async newTab(): Promise<Page> {
    const page = await this.context.newPage();
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      // Pages report failed responses and rejected origins themselves.
      if (message.type() === "error" && !/^Failed to load resource|blocked by CORS policy/.test(message.text()))
        this.complaints.push(message.text());
    });
    return page;
  }

  async kill(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    await this.#host.kill(signal);
  }

  async startAgain(): Promise<void> {
    this.#host = await HostProcess.start(this.#options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]();
    await this.#resources.disposeAsync();
  }
}
