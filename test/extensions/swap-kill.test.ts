import {
  createTempFolder,
  startRecordingModelServer,
  sampleCount,
  type RecordingModelServer,
} from "@incipit/testkit";
import { createClient, routes, turnAcceptedResponseSchema, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { Acknowledged, followed, type KnownConversation } from "../support/acknowledged.ts";
import { HostProcess } from "../support/host-process.ts";
import { randomNumbers } from "../support/random-numbers.ts";

const folderCount = 4;
const killsPerFolder = sampleCount(50);
const maxEvents = 25;
const seed = Number(process.env["SWAP_KILL_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

class DataFolderLife {
  readonly #options: { readonly data: string; readonly config: string; readonly cwd: string };
  readonly #model: RecordingModelServer;
  readonly #random: () => number;
  readonly #known = new Acknowledged();
  #touched = new Set<KnownConversation>();
  #count = 0;
  midSwapKills = 0;

  constructor(folder: string, model: RecordingModelServer, random: () => number) {
    this.#options = { data: join(folder, "data"), config: join(folder, "incipit.toml"), cwd: folder };
    this.#model = model;
    this.#random = random;
  }

  async begin(): Promise<void> {
    const { url } = this.#model;
    const text = `tools.workspace = true\nsubagents.enabled = true\nmodel = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${url}"\n`;
    await Bun.write(this.#options.config, text);
  }

  async round(): Promise<void> {
    await using host = await HostProcess.start(this.#options);
    await this.#known.check(host, [...this.#touched]);
    this.#touched = new Set();
    const client = createClient({ url: host.url, token: host.token });
    const { extensions } = await client.call(routes.listExtensions);
    const ids = extensions.map(({ id }) => id);
    const conversation = await this.#create(client);
    const other = this.#known.conversations[this.#below(this.#known.conversations.length)] ?? conversation;
    if (this.#below(3) === 0) await this.#startEndlessTurn(host, conversation);

    let isDead = false;
    let swaps = 0;
    let left = 1 + this.#below(maxEvents);
    const note = (): void => {
      if (isDead || swaps === 0) return;
      left -= 1;
      if (left > 0) return;
      isDead = true;
      this.midSwapKills += 1;
      void host.kill("SIGKILL");
    };
    const untilDead = async (work: () => Promise<void>): Promise<void> => {
      try {
        while (!isDead) {
          await work();
          note();
        }
      } catch (error) {
        if (!isDead) throw error;
      }
    };
    await Promise.all([
      untilDead(async () => {
        swaps += 1;
        note();
        const id = ids[this.#below(ids.length)] ?? "";
        const { outcome } = await client.call(routes.swapExtension, { params: { id }, body: {} });
        expect(outcome).toBe("swapped");
        swaps -= 1;
      }),
      untilDead(() => this.#setTemplate(client)),
      untilDead(() => this.#send(host, other)),
      untilDead(async () => {
        for await (const event of followed(client, other.id)) {
          other.seen.push(event);
          note();
        }
      }),
    ]);
  }

  async end(): Promise<void> {
    await using host = await HostProcess.start(this.#options);
    await this.#known.check(host);
    for (const { id, sent } of this.#known.conversations) {
      const first = sent[0];
      const bodies = this.#model.requests.map(({ body }) => body).filter((body) => body.includes(`of ${id}`));
      for (const [index, body] of bodies.slice(1).entries())
        expect(body, `a request behind "${first}"`).toStartWith(bodies[index]?.slice(0, -"]}".length) ?? "");
    }
    expect(await host.kill("SIGTERM")).toBe(0);
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
    const path = `/conversations/${conversation.id}/turns`;
    const accepted = await host.json(path, { body: { input }, headers: { prefer: "respond-async" } });
    conversation.acknowledged.push({ input, turnId: turnAcceptedResponseSchema.parse(accepted).turnId });
  }

  async #startEndlessTurn(host: HostProcess, conversation: KnownConversation): Promise<void> {
    const { length } = this.#model.requests;
    this.#model.enqueue({ kind: "never" });
    await this.#send(host, conversation);
    await this.#model.waitForRequests(length + 1);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

test("[never-lost] repeated SIGKILL during swaps leaves a healthy host with all acknowledged data", async () => {
  process.stderr.write(`SWAP_KILL_SEED=${seed}\n`);
  const lives = Array.from({ length: folderCount }, async (_, index) => {
    await using folder = await createTempFolder();
    await using model = await startRecordingModelServer();
    const life = new DataFolderLife(folder.path, model, randomNumbers(seed + index));
    await life.begin();
    for (let round = 1; round <= killsPerFolder; round += 1) {
      try {
        await life.round();
      } catch (cause) {
        throw new Error(`SWAP_KILL_SEED=${seed}, folder ${index}, kill ${round}`, { cause });
      }
    }
    await life.end();
    return life.midSwapKills;
  });

  const kills = await Promise.all(lives);

  expect(kills.reduce((sum, count) => sum + count, 0)).toBe(folderCount * killsPerFolder);
}, 1_800_000);
