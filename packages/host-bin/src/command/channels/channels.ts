import {
  type ChannelMessageView,
  type ChannelPersonView,
  type ChannelView,
  type ConversationId,
  conversationIdSchema,
} from "@incipit/schema";
import { routes, pagesOf } from "@incipit/transport-contract";
import { minuteOf } from "../output/minute-of.ts";
import { printer } from "../output/printer.ts";
import type { Call } from "../registry/command.ts";
import { UsageError } from "../registry/usage-error.ts";
import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import { filled } from "../output/fitted.ts";

export async function listChannels(call: Call): Promise<void> {
  const { show, note } = printer(call);
  const { channels } = await (await call.host.client()).call(routes.listChannels);
  for (const channel of channels) show(channel, channelLine);
  if (channels.length === 0)
    note(
      "There is no channel; to turn one on, set enabled = true in [channels.telegram] or [channels.discord] of your incipit.toml",
    );
}

export async function pairPerson(call: Call<[channel: string]>): Promise<void> {
  const { show, note } = printer(call);
  const [id] = call.words;
  const { pairingCode } = await (await call.host.client()).call(routes.createPairingCode, { params: { id } });
  show(pairingCode, ({ code }) => code);
  note(
    `The first person who sends it to "${id}" is paired and may use your models; it expires on ${minuteOf(pairingCode.expiresAt)}`,
  );
}

export async function listPeople(call: Call<[channel: string]>): Promise<void> {
  const { show, note } = printer(call);
  const [id] = call.words;
  const { people } = await (await call.host.client()).call(routes.listChannelPeople, { params: { id } });
  for (const person of people) show(person, personLine);
  if (people.length === 0) note(`No one is paired with "${id}"; to pair someone: incipit channels pair ${id}`);
}

export async function removePerson(call: Call<[channel: string, person: string]>): Promise<void> {
  const { show } = printer(call);
  const [id, person] = call.words;
  const answer = await (await call.host.client()).call(routes.removeChannelPerson, { params: { id, person } });
  show(answer, () => `Unpaired "${person}" from "${id}"; their messages are kept`);
}

export async function listMessages(call: Call<[channel: string]>): Promise<void> {
  const { show, note } = printer(call);
  const [id] = call.words;
  const client = await call.host.client();
  let count = 0;
  for await (const { messages } of pagesOf((cursor) =>
    client.call(routes.listChannelMessages, { params: { id }, query: { cursor } }),
  )) {
    for (const message of messages) show(message, messageLine);
    count += messages.length;
  }
  if (count === 0) note(`Nothing was sent on "${id}" yet`);
}

export async function retryMessage(call: Call<[channel: string, message: string]>): Promise<void> {
  const { show } = printer(call);
  const [id, named] = call.words;
  const params = { id, message: named };
  const { message } = await (await call.host.client()).call(routes.retryChannelMessage, { params });
  show(message, messageLine);
}

export async function continueInChat(call: Call<[channel: string, chat: string, id: string]>): Promise<void> {
  const { note } = printer(call);
  const [id, chat, conversation] = call.words;
  const request = { params: { id, chat }, body: { conversationId: conversationIdOf(conversation) } };
  await (await call.host.client()).call(routes.continueInChat, request);
  note(`Messages in "${chat}" on "${id}" continue that conversation until someone sends /new`);
}

export async function sendToChannel(call: Call<[channel: string, chat: string, text: string]>): Promise<void> {
  const { show, note } = printer(call);
  const [id, chat, text] = call.words;
  const body = { chat, text };
  const { messages } = await (await call.host.client()).call(routes.sendToChannel, { params: { id }, body });
  for (const message of messages) show(message, messageLine);
  note(`It is sent while a host runs; delivery: incipit channels messages ${id}`);
}

function conversationIdOf(word: string): ConversationId {
  const { data } = conversationIdSchema.safeParse(word);
  if (data !== undefined) return data;
  throw new UsageError(`"${word}" is not the ID of a conversation; incipit conversations lists them`);
}

const maxText = 60;
const maxWhy = 120;

/** `telegram  up  since 2026-11-23 08:00 UTC  @bot  (2 wait, 1 unknown)` */
function channelLine({ id, state, since, account, why, waiting, unknown, failed }: ChannelView): string {
  const remarks = [
    ...(waiting === 0 ? [] : [`${waiting} wait`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ];
  const cells = [
    filled(escapeHiddenLine(id), 16),
    state.padEnd(8),
    state === "off" ? "" : `since ${minuteOf(since)}`,
    account === null ? "" : escapeHiddenLine(account),
    why === null ? "" : clippedLine(why, { maxCharacters: maxWhy }),
    remarks.length === 0 ? "" : `(${remarks.join(", ")})`,
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}

function messageLine(message: ChannelMessageView): string {
  const { id, createdAt, state, chat, text, why, kind, retriedAs } = message;
  const cells = [
    id,
    minuteOf(createdAt),
    state.padEnd(7),
    filled(escapeHiddenLine(chat), 12),
    `${kind === "file" ? "file " : ""}${clippedLine(text, { maxCharacters: maxText })}`,
    why === null ? "" : `(${clippedLine(why, { maxCharacters: maxWhy })})`,
    retriedAs === null ? "" : `sent again as ${retriedAs}`,
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}

function personLine({ id, name, source, pairedAt }: ChannelPersonView): string {
  const since = pairedAt === null ? "configured" : `let in ${minuteOf(pairedAt)}`;
  return [
    filled(escapeHiddenLine(id), 16),
    filled(escapeHiddenLine(name ?? "-"), 20),
    source === "configuration" ? "configured" : since,
  ].join("  ");
}
