import { setNewest } from "@incipit/common/channels";
import type { Log, Storage } from "@incipit/kernel";
import type { ChannelChat } from "@incipit/service-contract";
import * as z from "zod";
import { chatIdOf } from "./chat-id.ts";
import { channelSchema, createdSchema } from "./events.ts";
import { CallError, type RestClient } from "./rest-client.ts";
import { isLater } from "./snowflake.ts";

const callTimeoutMs = 30_000;
const maxPlaces = 1_000;
/** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
const threadTypes: ReadonlySet<number> = new Set([10, 11, 12]);

export interface Place {
  readonly guildId: string | null;
  readonly userId: string | null;
  /** The last message that was stored or needs no storage. */
  readonly lastId: string | null;
}

const placeSchema: z.ZodType<Place> = z.object({
  guildId: z.string().nullable(),
  userId: z.string().nullable(),
  lastId: z.string().nullable(),
});

interface Info {
  readonly title: string;
  readonly parentId: string | undefined;
}

export interface PlacesOptions {
  readonly rest: RestClient;
  readonly storage: Storage;
  readonly log: Log;
}

/** Missed messages are fetched from here on. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #known = new Map<string, Place>();
  readonly #infos = new Map<string, Info>();
  readonly #private = new Map<string, string>();
  #loaded: Promise<void> | undefined;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  load(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = undefined; // Retried by the next call.
      throw error;
    });
    return this.#loaded;
  }

  get all(): readonly (readonly [channelId: string, place: Place])[] {
    return [...this.#known].toSorted(([, a], [, b]) => (isLater(a.lastId ?? "0", b.lastId ?? "0") ? -1 : 1));
  }

  knowsPrivate(userId: string): boolean {
    return this.#private.has(userId);
  }

  get(channelId: string): Place | undefined {
    return this.#known.get(channelId);
  }

  async note(channelId: string, place: Omit<Place, "lastId">): Promise<void> {
    if (!this.#known.has(channelId)) await this.#keep(channelId, { ...place, lastId: null });
  }

  /** Earlier messages have to be stored, too. */
  async mark(channelId: string, place: Omit<Place, "lastId">, messageId: string): Promise<void> {
    const lastId = this.#known.get(channelId)?.lastId ?? null;
    if (lastId === null || isLater(messageId, lastId)) await this.#keep(channelId, { ...place, lastId: messageId });
  }

  async forget(channelId: string): Promise<void> {
    const userId = this.#known.get(channelId)?.userId;
    if (typeof userId === "string") this.#private.delete(userId);
    this.#known.delete(channelId);
    await this.#options.storage.delete(channelId);
  }

  /**
   * Discord creates the channel on first use.
   * @throws {CallError} or the signal's reason.
   */
  async privateChannel(userId: string, signal: AbortSignal): Promise<string> {
    await this.load();
    const known = this.#private.get(userId);
    if (known !== undefined) return known;
    const call = { method: "POST", path: "/users/@me/channels", body: { recipient_id: userId } } as const;
    const given = await this.#options.rest.call(call, { timeoutMs: callTimeoutMs, signal });
    const { id } = createdSchema.parse(given);
    await this.#keep(id, { guildId: null, userId, lastId: this.#known.get(id)?.lastId ?? null });
    return id;
  }

  async chat(
    channelId: string,
    { guildId, userId, title }: Omit<Place, "lastId"> & { readonly title: string },
    signal: AbortSignal,
  ): Promise<ChannelChat> {
    if (guildId === null) return { id: userId ?? channelId, kind: "private", title };
    const info = this.#infos.get(channelId) ?? (await this.#ask(channelId, signal));
    const parent = info.parentId === undefined ? {} : { parentId: info.parentId };
    return {
      id: chatIdOf({ kind: "channel", guildId, channelId, ...parent }),
      kind: "group",
      title: info.title,
    };
  }

  async #ask(channelId: string, signal: AbortSignal): Promise<Info> {
    const info = await this.#asked(channelId, signal);
    setNewest(this.#infos, channelId, info, maxPlaces);
    return info;
  }

  async #asked(channelId: string, signal: AbortSignal): Promise<Info> {
    try {
      const call = { method: "GET", path: `/channels/${channelId}` } as const;
      const given = await this.#options.rest.call(call, { timeoutMs: callTimeoutMs, signal });
      const { name, type, parent_id: parentId } = channelSchema.parse(given);
      return {
        title: `#${name ?? channelId}`,
        parentId: threadTypes.has(type) ? (parentId ?? undefined) : undefined,
      };
    } catch (error) {
      if (!(error instanceof CallError) || error.failure.kind !== "refused") throw error;
      const { status } = error.failure;
      // A bot may have permission to write but not to view.
      if (status === 403 || status === 404) return { title: `#${channelId}`, parentId: undefined };
      throw error;
    }
  }

  async #load(): Promise<void> {
    const { storage, log } = this.#options;
    const onInvalid = (key: string): void => log.error("Cannot read the known channels of Discord", { key });
    for await (const { key, value } of storage.entries("", placeSchema, { onInvalid })) this.#hold(key, value);
  }

  async #keep(channelId: string, place: Place): Promise<void> {
    await this.#options.storage.set(channelId, { ...place });
    this.#hold(channelId, place);
    if (this.#known.size <= maxPlaces) return;
    const oldest = this.all.at(-1)?.[0];
    if (oldest !== undefined) await this.forget(oldest);
  }

  #hold(channelId: string, place: Place): void {
    this.#known.set(channelId, place);
    if (place.userId !== null) this.#private.set(place.userId, channelId);
  }
}
