import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { Acknowledged, followed, type KnownConversation } from "../support/acknowledged.ts";
import type { HostProcess } from "../support/host-process.ts";
import { KillSwitch, killHosts, type Below, type KilledLife } from "../support/kills.ts";
import { World } from "../support/world.ts";

const maxEvents = 25;

class Swaps implements KilledLife<number> {
  readonly #world: World;
  readonly #below: Below;
  readonly #known = new Acknowledged();
  #touched = new Set<KnownConversation>();
  #count = 0;
  #midSwapKills = 0;

  constructor(world: World, below: Below) {
    this.#world = world;
    this.#below = below;
  }

  async round(): Promise<void> {
    await using host = await this.#world.host();
    const { client } = host;
    await this.#known.check(host, [...this.#touched]);
    this.#touched = new Set();
    const { extensions } = await client.call(routes.listExtensions);
    const ids = extensions.map(({ id }) => id);
    const conversation = await this.#create(client);
    const other = this.#known.conversations[this.#below(this.#known.conversations.length)] ?? conversation;
    if (this.#below(3) === 0) await this.#startEndlessTurn(host, conversation);

    let swaps = 0;
    const onKill = (): void => void (this.#midSwapKills += 1);
    using killing = new KillSwitch(host, { events: 1 + this.#below(maxEvents), onKill });
    const note = (): void => {
      if (swaps > 0) killing.note();
    };
    const repeat = (work: () => Promise<void>): Promise<void> => killing.repeat(() => work().then(note));
    await Promise.all([
      repeat(async () => {
        swaps += 1;
        note();
        const id = ids[this.#below(ids.length)] ?? "";
        const { outcome } = await client.call(routes.swapExtension, { params: { id }, body: {} });
        expect(outcome).toBe("swapped");
        swaps -= 1;
      }),
      repeat(() => this.#setTemplate(client)),
      repeat(() => this.#send(host, other)),
      repeat(async () => {
        for await (const event of followed(client, other.id)) {
          other.seen.push(event);
          note();
        }
      }),
    ]);
  }

  async end(): Promise<number> {
    await using host = await this.#world.host();
    await this.#known.check(host);
    for (const { id, sent } of this.#known.conversations) {
      const first = sent[0];
      const bodies = this.#world.bodies.filter((body) => body.includes(`of ${id}`));
      for (const [index, body] of bodies.slice(1).entries())
        expect(body, `a request behind "${first}"`).toStartWith(bodies[index]?.slice(0, -"]}".length) ?? "");
    }
    expect(await host.kill("SIGTERM")).toBe(0);
    return this.#midSwapKills;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#world[Symbol.asyncDispose]();
  }

  async #create(client: Client): Promise<KnownConversation> {
    const { conversation } = await client.call(routes.createConversation, { body: {} });
    const known = { id: conversation.id, sent: [], acknowledged: [], seen: [] };
    this.#known.conversations.push(known);
    return known;
  }

  async #setTemplate(client: Client): Promise<void> {
    const template = `Template ${(this.#count += 1)} of [prompt:conversation_id]`;
    this.#known.templates = [...this.#known.templates, template];
    await client.call(routes.setSystemPrompt, { body: { template } });
    this.#known.templates = [template];
  }

  async #send(host: HostProcess, conversation: KnownConversation): Promise<void> {
    const input = `Input ${(this.#count += 1)} of ${conversation.id}`;
    this.#touched.add(conversation);
    conversation.sent.push(input);
    conversation.acknowledged.push({ input, turnId: await host.send(conversation.id, input) });
  }

  async #startEndlessTurn(host: HostProcess, conversation: KnownConversation): Promise<void> {
    const { model } = this.#world;
    const { length } = model.requests;
    model.enqueue({ kind: "never" });
    await this.#send(host, conversation);
    await model.waitForRequests(length + 1);
  }
}

test("[never-lost] repeated SIGKILL during swaps leaves a healthy host with all acknowledged data", async () => {
  const config = "tools.workspace = true\nsubagents.enabled = true";

  const { kills, counts } = await killHosts(
    { name: "SWAP", kills: 200, folders: 4 },
    async (below) => new Swaps(await World.start({ config }), below),
  );

  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(kills);
}, 1_800_000);
