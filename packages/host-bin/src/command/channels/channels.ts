import { suggestion } from "@incipit/common/suggestion";
import { conversationIdSchema, type ChannelMessageView, type ConversationId } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { channelLine, messageLine, personLine } from "./channel-line.ts";
import { minuteOf } from "../output/minute-of.ts";

const actions = {
  list: [],
  pair: ["CHANNEL"],
  people: ["CHANNEL"],
  remove: ["CHANNEL", "PERSON"],
  messages: ["CHANNEL"],
  retry: ["CHANNEL", "MESSAGE"],
  continue: ["CHANNEL", "CHAT", "CONVERSATION"],
} as const satisfies Record<string, readonly string[]>;
type Action = keyof typeof actions;

export async function channels(client: Client, args: Arguments, output: Output): Promise<number> {
  const { action, id, second, third } = understood(args);
  const { outLine, outRow, errLine } = output;
  const params = { id };
  const show = <Shown>(shown: Shown, line: (shown: Shown) => string): void =>
    args.isJson ? outLine(JSON.stringify(shown)) : outRow(line(shown));
  const tell = (sentence: string): void => {
    if (!args.isJson) errLine(sentence);
  };
  switch (action) {
    case "list": {
      const { channels: found } = await client.call(routes.listChannels);
      for (const channel of found) show(channel, channelLine);
      if (found.length === 0)
        tell(
          "There is no channel; [channels.telegram] or [channels.discord] with enabled = true in your incipit.toml makes one",
        );
      return 0;
    }
    case "pair": {
      const { pairingCode } = await client.call(routes.createPairingCode, { params });
      show(pairingCode, ({ code }) => code);
      tell(
        `Whoever sends it to "${id}" first may talk to your models; it is good until ${minuteOf(pairingCode.expiresAt)}`,
      );
      return 0;
    }
    case "people": {
      const { people } = await client.call(routes.listChannelPeople, { params });
      for (const person of people) show(person, personLine);
      if (people.length === 0) tell(`Nobody may talk on "${id}"; to let somebody in: incipit channels pair ${id}`);
      return 0;
    }
    case "remove": {
      const answer = await client.call(routes.removeChannelPerson, { params: { id, person: second } });
      show(answer, () => `"${second}" may talk on "${id}" no longer; what they said stays`);
      return 0;
    }
    case "messages": {
      let count = 0;
      for await (const message of messagesOf(client, id)) {
        show(message, messageLine);
        count += 1;
      }
      if (count === 0) tell(`Nothing was sent on "${id}" yet`);
      return 0;
    }
    case "continue": {
      const request = { params: { id, chat: second }, body: { conversationId: conversationIdOf(third) } };
      await client.call(routes.continueInChat, request);
      tell(
        `What is written in "${second}" on "${id}" goes to that conversation now, until somebody writes /new there`,
      );
      return 0;
    }
    case "retry": {
      const { message } = await client.call(routes.retryChannelMessage, { params: { id, message: second } });
      show(message, messageLine);
      return 0;
    }
  }
}

export async function sendToChannel(client: Client, args: Arguments, output: Output): Promise<number> {
  const [id, chat, text, stray] = args.words;
  if (id === undefined || chat === undefined || text === undefined)
    throw new UsageError('"send" needs a channel, a chat and a text; write: incipit send CHANNEL CHAT TEXT');
  if (stray !== undefined) throw new UsageError(`"send" takes no "${stray}"; put the text in quotes`);
  const { messages } = await client.call(routes.sendToChannel, { params: { id }, body: { chat, text } });
  for (const message of messages) {
    if (args.isJson) output.outLine(JSON.stringify(message));
    else output.outRow(messageLine(message));
  }
  if (!args.isJson)
    output.errLine(`It is sent while a host runs; what became of it: incipit channels messages ${id}`);
  return 0;
}

async function* messagesOf(client: Client, id: string): AsyncGenerator<ChannelMessageView> {
  for (let cursor: string | undefined; ;) {
    const query = cursor === undefined ? {} : { cursor };
    const page = await client.call(routes.listChannelMessages, { params: { id }, query });
    yield* page.messages;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

function understood(args: Arguments): Record<"id" | "second" | "third", string> & { readonly action: Action } {
  const [word = "list", id = "", second = "", third = ""] = args.words;
  if (!isAction(word))
    throw new UsageError(`There is no "channels ${word}"${suggestion(word, Object.keys(actions))}`);
  const takes: readonly string[] = actions[word];
  const missing = takes[Math.max(0, args.words.length - 1)];
  if (missing !== undefined) {
    const usage = ["incipit channels", word, ...takes].join(" ");
    throw new UsageError(`"channels ${word}" needs ${missing}; write: ${usage}`);
  }
  const stray = args.words[takes.length + 1];
  if (stray !== undefined) throw new UsageError(`"channels ${word}" takes no "${stray}"`);
  return { action: word, id, second, third };
}

function conversationIdOf(word: string): ConversationId {
  const { data } = conversationIdSchema.safeParse(word);
  if (data !== undefined) return data;
  throw new UsageError(`"${word}" is not the ID of a conversation; incipit conversations lists them`);
}

function isAction(word: string): word is Action {
  return Object.hasOwn(actions, word);
}
