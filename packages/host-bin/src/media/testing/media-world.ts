import { defineExtension, type Extension, type Storage } from "@incipit/kernel";
import { turnIdSchema, type ConversationId, type TurnId } from "@incipit/schema";
import { mediaHandle, type Media, type ReplyPart, type SplitReply } from "@incipit/service-contract";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "../../config/parse-config.ts";
import { createHost, type RunningHost } from "../../create-host.ts";
import { silentChannelExtension } from "./silent-channel.ts";

interface Hub {
  readonly extension: Extension;
  readonly media: () => Media;
  readonly storage: () => Storage;
}

export interface MediaWorldOptions {
  readonly config?: string;
  readonly hasChannel?: boolean;
}

export class MediaWorld implements AsyncDisposable {
  readonly #scope: AsyncDisposableStack;
  readonly #options: MediaWorldOptions;
  readonly folder: string;
  readonly model: RecordingModelServer;
  #hub: Hub;
  #host: RunningHost | undefined;

  private constructor(
    scope: AsyncDisposableStack,
    given: { readonly folder: string; readonly model: RecordingModelServer; readonly options: MediaWorldOptions },
  ) {
    this.#scope = scope;
    this.#options = given.options;
    this.folder = given.folder;
    this.model = given.model;
    this.#hub = createHub();
  }

  static async start(options: MediaWorldOptions = {}): Promise<MediaWorld> {
    await using scope = new AsyncDisposableStack();
    const { path: folder } = scope.use(await createTempFolder());
    const model = scope.use(await startRecordingModelServer());
    await mkdir(join(folder, "work"));
    const world = new MediaWorld(scope.move(), { folder, model, options });
    await world.#begin();
    return world;
  }

  get cwd(): string {
    return join(this.folder, "work");
  }

  get client(): Client {
    if (this.#host === undefined) throw new Error("The host has ended");
    return createClient(this.#host);
  }

  get media(): Media {
    return this.#hub.media();
  }

  async conversation(): Promise<ConversationId> {
    const { conversation } = await this.client.call(routes.createConversation, { body: { cwd: this.cwd } });
    return conversation.id;
  }

  async turn(id: ConversationId, input = "Hello"): Promise<TurnId> {
    const events = await Array.fromAsync(this.client.sendTurn(id, { input }));
    return turnIdSchema.parse(events.at(-1)?.turnId);
  }

  async parts(id: ConversationId, reply: string): Promise<readonly ReplyPart[]> {
    return (await this.split(id, reply)).parts;
  }

  split(id: ConversationId, reply: string, turnId: TurnId = newTurnId()): Promise<SplitReply> {
    return this.media.split(id, { turnId, reply });
  }

  /** Commits the writes, as a sender does with its own. */
  async take({ taken }: SplitReply): Promise<string> {
    const write = { kind: "set", key: "sent", value: true } as const;
    return (await this.#hub.storage().atomic([], [write], taken === undefined ? {} : { join: [taken] })).kind;
  }

  async restart(): Promise<void> {
    await this.#host?.close();
    this.#hub = createHub();
    await this.#begin();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host?.close();
    await this.#scope[Symbol.asyncDispose]();
  }

  async #begin(): Promise<void> {
    const { config: added = "", hasChannel = true } = this.#options;
    const config = `model = "local/test-model"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${this.model.url}" }
${added}
`;
    this.#host = await createHost({
      config: parseConfig(config, "incipit.toml"),
      dataFolder: join(this.folder, "data"),
      cwd: this.cwd,
      env: {},
      writeLog: () => {},
      extensions: [this.#hub.extension, ...(hasChannel ? [silentChannelExtension] : [])],
    });
  }
}

function newTurnId(): TurnId {
  return turnIdSchema.parse(Bun.randomUUIDv7());
}

function createHub(): Hub {
  let media: (() => Media) | undefined;
  let storage: Storage | undefined;
  const extension = defineExtension(
    {
      id: "test.hub",
      version: "1.0.0",
      api: "^1",
      capabilities: { storage: true },
      dependsOn: { required: ["media@1"] },
    },
    (host) => {
      const reference = host.getService(mediaHandle);
      media = () => reference.get();
      storage = host.storage("hub");
    },
  );
  const need = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error("The hub did not start");
    return value;
  };
  return { extension, media: () => need(media)(), storage: () => need(storage) };
}
