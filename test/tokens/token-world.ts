import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import type { NewAccessToken } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client, type Route } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface MadeToken {
  readonly id: string;
  readonly secret: string;
}

export interface AskOptions {
  readonly token: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class TokenWorld implements AsyncDisposable {
  readonly model: RecordingModelServer;
  readonly logged: string[] = [];
  readonly #dataFolder: string;
  readonly #userFolder: string;
  readonly #config: string;
  readonly #scope: AsyncDisposableStack;
  #host: RunningHost | undefined;
  #params: Readonly<Record<string, string>> = {};
  #messageId = "";

  private constructor(parts: {
    readonly model: RecordingModelServer;
    readonly dataFolder: string;
    readonly userFolder: string;
    readonly config: string;
    readonly scope: AsyncDisposableStack;
  }) {
    this.model = parts.model;
    this.#dataFolder = parts.dataFolder;
    this.#userFolder = parts.userFolder;
    this.#config = parts.config;
    this.#scope = parts.scope;
  }

  static async start({ config = "" }: { readonly config?: string } = {}): Promise<TokenWorld> {
    await using scope = new AsyncDisposableStack();
    const folder = scope.use(await createTempFolder());
    const user = scope.use(await createTempFolder());
    const model = scope.use(await startRecordingModelServer());
    const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
    const world = new TokenWorld({
      model,
      dataFolder: folder.path,
      userFolder: user.path,
      config: `model = "local/test"\n${provider}${config}`,
      scope: scope.move(),
    });
    await world.startHost();
    return world;
  }

  async startHost(): Promise<void> {
    this.#host = await createHost({
      config: parseConfig(
        this.#config.includes("[listen]") ? this.#config : `${this.#config}[listen]\nport = 0\n`,
        "incipit.toml",
      ),
      dataFolder: this.#dataFolder,
      userFolder: this.#userFolder,
      cwd: this.#dataFolder.replace(/[^/]+$/, ""),
      env: {},
      writeLog: (line) => this.logged.push(line),
    });
  }

  async stopHost(): Promise<void> {
    await this.#host?.close();
    this.#host = undefined;
  }

  get host(): RunningHost {
    if (this.#host === undefined) throw new Error("The host is stopped");
    return this.#host;
  }

  get client(): Client {
    return createClient(this.host);
  }

  get tokenFile(): string {
    return join(this.#dataFolder, "tokens.json");
  }

  async make(scopes: NewAccessToken["scopes"], more: Partial<NewAccessToken> = {}): Promise<MadeToken> {
    const body = { scopes, days: 30, ...more };
    const { token, secret } = await this.client.call(routes.createToken, { body });
    return { id: token.id, secret };
  }

  ask(method: string, path: string, { token, body, headers }: AskOptions): Promise<Response> {
    return fetch(`${this.host.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async fill(): Promise<void> {
    const { client } = this;
    const skill = "---\nname: count\ndescription: Counts\n---\n\nCount.\n";
    await Bun.write(join(this.#userFolder, "skills/count/SKILL.md"), skill);
    await Bun.write(join(this.#userFolder, "commands/count.md"), "Count.");
    await Bun.write(join(this.#userFolder, "agents/count.md"), "---\nname: count\n---\n\nCount.\n");
    await client.call(routes.setSystemPrompt, { body: { template: "You count." } });
    const { conversation } = await client.call(routes.createConversation, { body: { title: "Counting" } });
    const { id } = conversation;
    this.model.enqueue({ kind: "text", chunks: ["one"] }, { kind: "text", chunks: ["two"] });
    const events = await Array.fromAsync(client.sendTurn(id, { input: "Count" }));
    await client.call(routes.createChatCompletion, { body: { prompt: "Count" } });
    const { steps } = await client.call(routes.listSteps, { params: { id } });
    const { messages } = await client.call(routes.listMessages, { params: { id } });
    this.#messageId = messages[0]?.id ?? "";
    const { calls } = await client.call(routes.listCalls);
    const { constructions } = await client.call(routes.listConstructions, { params: { id } });
    const { schedule } = await client.call(routes.createSchedule, {
      body: { id: "there-before", task: "Count", at: "2126-01-01T00:00Z" },
    });
    const { id: tokenId } = await this.make(["read"], { name: "there before" });
    this.#params = {
      "/conversations/:id": id,
      "/calls/:id": calls[0]?.id ?? "",
      "/schedules/:id": schedule.id,
      "/extensions/:id": "provider-offline",
      "/tokens/:id": tokenId,
      "/skills/:name": "count",
      "/commands/:name": "count",
      "/profiles/:name": "count",
      "/v1/models/:id": "local/test",
      ":stepId": steps[0]?.id ?? "",
      ":sha256": constructions[0]?.sha256 ?? "",
      ":turnId": events[0]?.turnId ?? "",
      ":v": "1",
    };
  }

  get conversationId(): string {
    return this.#params["/conversations/:id"] ?? "";
  }

  get messageId(): string {
    return this.#messageId;
  }

  pathOf({ path }: Route): string {
    let found = path;
    for (const [parameter, value] of Object.entries(this.#params)) {
      if (!found.includes(parameter)) continue;
      const [start = ""] = parameter.split(":");
      found = found.replace(parameter, `${start}${value}`);
    }
    return found.replaceAll(/:\w+/g, "nothing-of-that-name");
  }

  async snapshot(): Promise<unknown> {
    const database = new Database(join(this.#dataFolder, "incipit.db"), { readonly: true });
    const rows: readonly unknown[] = database.query("SELECT namespace, key, value, version FROM entries").all();
    database.close();
    const names = (await readdir(this.#dataFolder)).filter(
      (name) => !name.startsWith("incipit.db") && !name.startsWith("tokens.json"),
    );
    const files = await Promise.all(
      names
        .toSorted()
        .map(async (name) => [name, await readFile(join(this.#dataFolder, name), "utf8").catch(String)]),
    );
    const { extensions } = await this.client.call(routes.listExtensions);
    const { tokens } = await this.client.call(routes.listTokens);
    return {
      rows,
      files,
      extensions: extensions.map(({ id, phase, generation, granted }) => ({ id, phase, generation, granted })),
      tokens: tokens.map(({ id, name, scopes, state, endsAt }) => ({ id, name, scopes, state, endsAt })),
      modelRequests: this.model.requests.length,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopHost();
    await this.#scope.disposeAsync();
  }
}
