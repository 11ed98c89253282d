import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";
import { KillSwitch } from "../support/kills.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { endpoints } from "./endpoints.ts";
import { pick, QuirkyServer, type Treatment } from "./quirky-server.ts";
import { RandomConversation, type Live } from "./random-conversation.ts";

export interface EndpointCounts {
  readonly conversations: number;
  readonly kills: number;
  readonly requests: number;
  readonly overflows: number;
}

const key = "sk-endpoints-0123456789";
const logBytes = 20_000;
const longFile = "A line of a long file, which a model reads.\n".repeat(450);

export class EndpointWorld implements AsyncDisposable {
  readonly #options: HostProcessOptions;
  readonly #servers: readonly QuirkyServer[];
  readonly #conversations = new Map<string, RandomConversation>();
  readonly #random: () => number;
  readonly #scope: AsyncDisposableStack;
  #kills = 0;

  private constructor(
    scope: AsyncDisposableStack,
    { seed, options }: { readonly seed: number; readonly options: HostProcessOptions },
    start: readonly QuirkyServer[],
  ) {
    this.#scope = scope;
    this.#options = options;
    this.#servers = start;
    this.#random = randomNumbers(seed);
  }

  static async begin(seed: number, count: number): Promise<EndpointWorld> {
    const scope = new AsyncDisposableStack();
    const { path } = scope.use(await createTempFolder());
    const treatmentOf = (body: string): Treatment => {
      const id = /conversation ([0-9a-f-]{36})/.exec(body)?.[1] ?? "";
      const conversation = world.#conversations.get(id);
      if (conversation === undefined) throw new Error(`A request of no conversation: ${body}`);
      return conversation;
    };
    const servers = await Promise.all(endpoints.map((endpoint) => QuirkyServer.start(endpoint, treatmentOf)));
    for (const server of servers) scope.use(server);
    const tables = servers.map(
      ({ endpoint: { name, settings }, url }) =>
        `[providers.${name}]\n${settings}\nbase_url = "${url}"\napi_key_env = "ENDPOINTS_KEY"\n`,
    );
    const config = join(path, "incipit.toml");
    await Bun.write(
      config,
      `model = "strict/strict-unknown"\nsystem_prompt = "In conversation [prompt:conversation_id]."\ntools.workspace = true\n${tables.join("")}`,
    );
    await Bun.write(join(path, "long.txt"), longFile);
    const options = { data: join(path, "data"), config, cwd: path, env: { ENDPOINTS_KEY: key } };
    const world = new EndpointWorld(scope, { seed, options }, servers);
    await using host = await HostProcess.start(options);
    const models = endpoints.map(({ name, model }) => `${name}/${model}`);
    for (let index = 0; index < count; index += 1) {
      const random = randomNumbers(seed + index * 7_919);
      const { id } = await host.createConversation({ model: pick(models, random) });
      world.#conversations.set(id, new RandomConversation(id, { random, models }));
    }
    return world;
  }

  async round(isKilled: boolean): Promise<void> {
    await using host = await HostProcess.start(this.#options);
    const live: Live = { host, client: createClient({ url: host.url, token: host.token }) };
    for (const conversation of this.#conversations.values()) conversation.begin(live);
    const events = isKilled ? 1 + Math.floor(this.#random() * this.#conversations.size * 3) : Infinity;
    using killing = new KillSwitch(host, { events, onKill: () => void (this.#kills += 1) });
    await this.#each(host, (conversation) => {
      const acts = 1 + Math.floor(conversation.random() * 3);
      return killing.repeat(() => conversation.act(live, () => killing.note()), acts);
    });
  }

  async end(): Promise<EndpointCounts> {
    await using host = await HostProcess.start(this.#options);
    const live: Live = { host, client: createClient({ url: host.url, token: host.token }) };
    for (const conversation of this.#conversations.values()) conversation.begin(live);
    await this.#each(host, (conversation) => conversation.recover(live));
    expect(this.#servers.flatMap(({ problems }) => problems)).toEqual([]);
    const { status, problems } = await live.client.call(routes.getHealth);
    expect({ status, problems }).toEqual({ status: "ok", problems: [] });
    const sum = (name: "requests" | "overflows"): number =>
      this.#servers.reduce((total, server) => total + server[name], 0);
    return {
      conversations: this.#conversations.size,
      kills: this.#kills,
      requests: sum("requests"),
      overflows: sum("overflows"),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scope.disposeAsync();
  }

  async #each(host: HostProcess, act: (conversation: RandomConversation) => Promise<void>): Promise<void> {
    const all = [...this.#conversations.values()];
    const outcomes = await Promise.allSettled(all.map(act));
    for (const [index, outcome] of outcomes.entries())
      if (outcome.status === "rejected") {
        await host.kill("SIGKILL");
        const log = (await host.stderr()).slice(-logBytes);
        throw new Error(`Conversation ${index}, ${all[index]?.id}: ${String(outcome.reason)}\n${log}`, {
          cause: outcome.reason,
        });
      }
  }
}
