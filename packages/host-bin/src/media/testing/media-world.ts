import { defineExtension, type Extension, type Storage } from "@incipit/kernel";
import { turnIdSchema, type ConversationId, type TurnId } from "@incipit/schema";
import { mediaHandle, type Media, type ReplyPart, type SplitReply } from "@incipit/service-contract";
import { HostWorld } from "../../testing/host-world.ts";
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

/** A host with an extension that calls `media@1`, a channel that sends nothing, and a conversation. */
export class MediaWorld implements AsyncDisposable {
  readonly host: HostWorld;
  readonly id: ConversationId;
  readonly #hub: () => Hub;

  private constructor(host: HostWorld, hub: () => Hub, id: ConversationId) {
    this.host = host;
    this.#hub = hub;
    this.id = id;
  }

  static async start({ config = "", hasChannel = true }: MediaWorldOptions = {}): Promise<MediaWorld> {
    let hub: Hub | undefined;
    const extensions = (): readonly Extension[] => {
      hub = createHub();
      return [hub.extension, ...(hasChannel ? [silentChannelExtension] : [])];
    };
    const host = await HostWorld.start({ config, cwd: "work", extensions });
    return new MediaWorld(host, () => started(hub), await host.createConversation());
  }

  get cwd(): string {
    return this.host.cwd;
  }

  get media(): Media {
    return this.#hub().media();
  }

  async turn(): Promise<TurnId> {
    return turnIdSchema.parse((await this.host.turn(this.id)).at(-1)?.turnId);
  }

  async parts(reply: string, id = this.id): Promise<readonly ReplyPart[]> {
    return (await this.media.split(id, { turnId: newTurnId(), reply })).parts;
  }

  split(reply: string, turnId: TurnId = newTurnId()): Promise<SplitReply> {
    return this.media.split(this.id, { turnId, reply });
  }

  keep(file: Parameters<Media["keep"]>[1]): ReturnType<Media["keep"]> {
    return this.media.keep(this.id, file);
  }

  /** Commits the writes, as a sender does with its own. */
  async take({ taken }: SplitReply): Promise<string> {
    const write = { kind: "set", key: "sent", value: true } as const;
    return (
      await this.#hub()
        .storage()
        .atomic([], [write], taken === undefined ? {} : { join: [taken] })
    ).kind;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.host[Symbol.asyncDispose]();
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
  return { extension, media: () => started(media)(), storage: () => started(storage) };
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("The hub did not start");
  return value;
}
