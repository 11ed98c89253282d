import { undelivered, uploadName } from "@incipit/common/channels";
import type { ChannelButton, ChannelDelivery, ChannelMessage } from "@incipit/service-contract";
import { InputFile, type Api } from "grammy/web";
import type { BotClient } from "./bot-client.ts";
import { placeOf, type TelegramPlace } from "./chat-id.ts";
import { formatMarkdown } from "./format-markdown.ts";
import type { FormattedText } from "./text-writer.ts";

/** https://core.telegram.org/bots/api#sendmessage */
export const maxTextLength = 4_096;
const maxPhotoBytes = 10_485_760;
const textTimeoutMs = 60_000;
const fileTimeoutMs = 300_000;
/** 404: malformed token. */
const service = { service: "Telegram", tokenStatuses: [401, 404] } as const;
/** Rejections of the content rather than the destination. */
const formStatuses: ReadonlySet<number> = new Set([400, 413]);
const goneTopic = /\b(?:message thread not found|TOPIC_(?:DELETED|CLOSED)|topic (?:was )?(?:deleted|closed))/i;
/** Maximum length of the labels of a button row, so that it is readable on a phone. */
const maxRowLength = 30;

export interface SendOptions {
  readonly chatId: string;
  readonly signal: AbortSignal;
}

/** @throws the signal's reason, and nothing else. */
export async function sendMessage(
  client: BotClient,
  message: ChannelMessage,
  { chatId, signal }: SendOptions,
): Promise<ChannelDelivery> {
  const place = placeOf(chatId);
  if (place === undefined) return { kind: "failed", why: `"${chatId}" is not a Telegram chat` };
  const { delivery, movedTo, isTopicGone } = await sendTo(client, message, { place, signal });
  if (isTopicGone === true) {
    // The reply is for the people of the group: its main chat is better than nowhere.
    const outside = { ...place, threadId: undefined };
    return (await sendTo(client, withoutAnswered(message), { place: outside, signal })).delivery;
  }
  if (movedTo === undefined) return delivery;
  // Message ids restart when a group becomes a supergroup, so the reply reference is dropped.
  return (
    await sendTo(client, withoutAnswered(message), { place: { chatId: movedTo, threadId: undefined }, signal })
  ).delivery;
}

function withoutAnswered(message: ChannelMessage): ChannelMessage {
  return message.kind === "text" ? { ...message, replyTo: undefined } : message;
}

interface Sent {
  readonly delivery: ChannelDelivery;
  readonly movedTo?: number | undefined;
  readonly isTopicGone?: true;
}

async function sendTo(
  client: BotClient,
  message: ChannelMessage,
  { place, signal }: { readonly place: TelegramPlace; readonly signal: AbortSignal },
): Promise<Sent> {
  const tries = message.kind === "text" ? textTries(message, place) : fileTries(message, place);
  let failed: ChannelDelivery | undefined;
  for (const { timeoutMs, send } of tries) {
    try {
      const { message_id: id } = await client.within(timeoutMs, signal, send);
      return { delivery: { kind: "sent", messageId: String(id) } };
    } catch (error) {
      signal.throwIfAborted();
      const failure = client.failureOf(error);
      failed = undelivered(failure, service);
      // Only a definite rejection of the form is retried with another form; an unknown outcome never is.
      if (failure.kind !== "refused" || !formStatuses.has(failure.status)) return { delivery: failed };
      if (failure.movedTo !== undefined) return { delivery: failed, movedTo: failure.movedTo };
      if (place.threadId !== undefined && goneTopic.test(failure.why))
        return { delivery: failed, isTopicGone: true };
    }
  }
  return { delivery: failed ?? { kind: "failed", why: "the message is empty" } };
}

interface Try {
  readonly timeoutMs: number;
  readonly send: (api: Api) => Promise<{ readonly message_id: number }>;
}

type TextMessage = Extract<ChannelMessage, { readonly kind: "text" }>;
type FileMessage = Extract<ChannelMessage, { readonly kind: "file" }>;

function textTries(message: TextMessage, { chatId, threadId }: TelegramPlace): readonly Try[] {
  const { text: markdown, buttons, replyTo } = message;
  const more = {
    link_preview_options: { is_disabled: true },
    ...inThread(threadId),
    ...(buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: rowsOf(buttons) } }),
    // The replied-to message may be deleted.
    ...(replyTo === undefined || !/^\d{1,15}$/.test(replyTo)
      ? {}
      : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } }),
  };
  const formatted = formatMarkdown(markdown);
  const plain = { text: markdown.trim(), entities: [] };
  const forms = [formatted, ...(formatted.entities.length === 0 ? [] : [plain])].filter(
    ({ text }) => text.length <= maxTextLength,
  );
  // Only unsplit text is this long: Telegram rejects it with its own message.
  return (forms.length === 0 ? [plain] : forms).map(({ text, entities }) => ({
    timeoutMs: textTimeoutMs,
    send: (api) => api.sendMessage(chatId, text, { ...entitiesOf(entities), ...more }),
  }));
}

function fileTries(message: FileMessage, { chatId, threadId }: TelegramPlace): readonly Try[] {
  const { mediaType, bytes } = message;
  // A new file per attempt; the name is written into a header unescaped.
  const file = (): InputFile => new InputFile(bytes, uploadName(message.name));
  const more = inThread(threadId);
  const document: Try["send"] = (api) => api.sendDocument(chatId, file(), more);
  const own = ((): Try["send"] | undefined => {
    switch (mediaType.split(";", 1)[0]) {
      case "image/jpeg":
      case "image/png":
      case "image/webp":
        if (bytes.byteLength > maxPhotoBytes) return undefined;
        return (api) => api.sendPhoto(chatId, file(), more);
      case "audio/ogg":
        return (api) => api.sendVoice(chatId, file(), more);
      case "audio/mpeg":
      case "audio/mp4":
        return (api) => api.sendAudio(chatId, file(), more);
      case "video/mp4":
        return (api) => api.sendVideo(chatId, file(), more);
      default:
        return undefined;
    }
  })();
  // A photo with rejected dimensions, for example, can still be sent as a document.
  return [...(own === undefined ? [] : [own]), document].map((send) => ({ timeoutMs: fileTimeoutMs, send }));
}

export function inThread(threadId: number | undefined): { readonly message_thread_id?: number } {
  return threadId === undefined ? {} : { message_thread_id: threadId };
}

export function entitiesOf(entities: FormattedText["entities"]): { entities: MessageEntities } | undefined {
  if (entities.length === 0) return undefined;
  return {
    entities: entities.map(({ type, offset, length, url = "", language }) => {
      switch (type) {
        case "text_link":
          return { type, offset, length, url };
        case "pre":
          return { type, offset, length, ...(language === undefined ? {} : { language }) };
        default:
          return { type, offset, length };
      }
    }),
  };
}

type MessageEntities = NonNullable<NonNullable<Parameters<Api["sendMessage"]>[2]>["entities"]>;

function rowsOf(buttons: readonly ChannelButton[]): { text: string; callback_data: string }[][] {
  const rows: { text: string; callback_data: string }[][] = [];
  let length = Infinity;
  for (const { id, label } of buttons) {
    const button = { text: label, callback_data: id };
    const row = rows.at(-1);
    if (row === undefined || row.length >= 3 || length + label.length > maxRowLength) {
      rows.push([button]);
      length = label.length;
    } else {
      row.push(button);
      length += label.length;
    }
  }
  return rows;
}
