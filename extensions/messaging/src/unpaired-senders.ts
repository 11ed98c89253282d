import type { ChannelUpdate } from "@incipit/service-contract";
import type { ChannelContext } from "./chats-context.ts";
import { keys } from "./keys.ts";
import { newChat } from "./new-chat.ts";
import type { Outbox } from "./outbox.ts";
import type { People } from "./people.ts";
import { seenWrites } from "./seen.ts";
import { storedChatSchema, storedNothingSchema, storedToldSchema } from "./stored.ts";
import { oneLineOf, textContents } from "./texts.ts";

const dayMs = 24 * 3_600_000;
/** Maximum number of unpaired senders per day that get a notice; further ones get none. */
const maxTold = 1_000;

/** At most one notice a day, and never a model call. */
export class UnpairedSenders {
  readonly #context: ChannelContext;
  readonly #people: People;
  readonly #outbox: Outbox;
  readonly #told = new Map<string, number>();

  constructor(context: ChannelContext, people: People, outbox: Outbox) {
    this.#context = context;
    this.#people = people;
    this.#outbox = outbox;
  }

  async load(): Promise<void> {
    const { storage, channel } = this.#context;
    const found = await storage.list({ prefix: keys.allTold(channel.id), limit: maxTold }, storedToldSchema);
    for (const { key, value } of found) this.#told.set(keys.last(key), value.toldMs);
  }

  async meet(update: ChannelUpdate): Promise<{ readonly answer?: string }> {
    const { chat, sender } = update;
    if (update.kind === "press") return { answer: "You may not answer this." };
    if (chat.kind === "group") await this.#meetInGroup(update);
    else if (!(await this.#tryCode(update)))
      await this.#tell(
        sender.id,
        chat.id,
        `Hello! I only talk to paired people. If my owner gave you a code, send it to me. (Your id is ${oneLineOf(sender.id)}.)`,
      );
    return {};
  }

  async #meetInGroup(update: ChannelUpdate): Promise<void> {
    const { chat, sender } = update;
    const isForUs = update.kind === "command" || (update.kind === "message" && update.isAddressed);
    if (!isForUs || !this.#people.isKnown(sender)) return;
    const text = `This group is not enabled: my owner can add its id, ${oneLineOf(chat.id)}, to my configuration.`;
    await this.#tell(`group ${chat.id}`, chat.id, text);
  }

  async #tryCode(update: ChannelUpdate): Promise<boolean> {
    const { chat, sender } = update;
    const text = update.kind === "message" ? update.text : update.kind === "command" ? update.argument : "";
    const code = this.#people.codeIn(text);
    if (code === undefined) return false;
    const { channel, clock, storage } = this.#context;
    // A redelivery must not count as another try.
    if ((await storage.get(keys.seen(channel.id, update.updateId), storedNothingSchema)) !== undefined) return true;
    const pairing = await this.#people.pair(sender, code);
    if (pairing.kind === "ignored") return false;
    const answer =
      pairing.kind === "paired"
        ? `Welcome, ${oneLineOf(sender.name)}! You are paired. /help lists the commands.`
        : "This code is unknown or has expired.";
    const { writes } = this.#outbox.prepare(chat.id, textContents(channel, answer));
    const seen = seenWrites(channel.id, update.updateId, clock.now());
    // Stored so that the host can start conversations with paired people.
    const key = keys.chat(channel.id, chat.id);
    const isNew = pairing.kind === "paired" && (await storage.get(key, storedChatSchema)) === undefined;
    const known = isNew ? [{ kind: "set", key, value: newChat(chat) } as const] : [];
    if (!(await pairing.commit([...seen, ...writes, ...known]))) return this.#tryCode(update);
    this.#outbox.wake(chat.id);
    return true;
  }

  async #tell(whom: string, chatId: string, text: string): Promise<void> {
    const { storage, channel, clock } = this.#context;
    const nowMs = clock.now();
    const before = this.#told.get(whom);
    if (before !== undefined && nowMs - before < dayMs) return;
    const outdated = [...this.#told].filter(([, toldMs]) => nowMs - toldMs >= dayMs).map(([id]) => id);
    for (const id of outdated) this.#told.delete(id);
    if (this.#told.size >= maxTold) return;
    this.#told.set(whom, nowMs); // Before awaiting: the same person may have written twice.
    const { writes } = this.#outbox.prepare(chatId, textContents(channel, text));
    try {
      await storage.atomic(
        [],
        [
          ...outdated.map((id) => ({ kind: "delete", key: keys.told(channel.id, id) }) as const),
          { kind: "set", key: keys.told(channel.id, whom), value: { toldMs: nowMs } },
          ...writes,
        ],
      );
    } catch (error) {
      this.#told.delete(whom);
      throw error;
    }
    this.#outbox.wake(chatId);
  }
}
