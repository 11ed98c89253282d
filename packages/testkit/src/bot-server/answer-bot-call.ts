import * as z from "zod";
import type { BotCall, BotUpload } from "./bot-call.ts";
import { botParameters } from "./bot-methods.ts";
import { badRequest, BotRefusal } from "./bot-refusal.ts";
import { readBotText, type BotText } from "./bot-text.ts";
import type { BotContent, BotFile, BotMessage, BotWorld } from "./bot-world.ts";
import type { UpdateQueue } from "./update-queue.ts";

/** https://core.telegram.org/bots/api#sending-files */
const maxSentBytes = 52_428_800;
const maxPhotoBytes = 10_485_760;
const maxReadBytes = 20_971_520;

/** https://core.telegram.org/bots/api#sendmessagedraft */
export interface BotDraft {
  readonly chatId: number;
  readonly draftId: number;
  readonly text: string;
  readonly canStop: boolean;
}

export interface BotState {
  readonly world: BotWorld;
  readonly queue: UpdateQueue;
  /** Unanswered, by id. */
  readonly presses: Map<string, { answer: string | undefined }>;
  readonly drafts: BotDraft[];
  webhook: { readonly url: string; readonly secret: string | undefined } | undefined;
  commands: readonly { readonly command: string; readonly description: string }[];
}

const commandsSchema = z.array(
  z.object({ command: z.string().regex(/^[a-z0-9_]{1,32}$/), description: z.string().min(1).max(256) }),
);
const replySchema = z.looseObject({ message_id: z.int(), allow_sending_without_reply: z.boolean().default(false) });
const keyboardSchema = z.looseObject({
  inline_keyboard: z.array(
    z.array(
      z.looseObject({
        text: z.string().min(1),
        callback_data: z.string().exactOptional(),
        url: z.string().exactOptional(),
      }),
    ),
  ),
});
const mediaOf = {
  sendPhoto: "photo",
  sendDocument: "document",
  sendAudio: "audio",
  sendVoice: "voice",
  sendVideo: "video",
} as const;
const mediaTypes = { photo: "image/jpeg", audio: "audio/mpeg", voice: "audio/ogg", video: "video/mp4" } as const;

/** @throws {BotRefusal} as the service would. */
export async function answerBotCall(call: BotCall, state: BotState, signal: AbortSignal): Promise<unknown> {
  const { parameters, method } = call;
  const { world, queue } = state;
  switch (method) {
    case "getMe":
      return {
        ...world.bot,
        can_join_groups: true,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      };
    case "getUpdates": {
      const webhook =
        "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
      if (state.webhook !== undefined) throw new BotRefusal(409, `Conflict: ${webhook}`);
      const { offset = 0, limit = 100, timeout = 0 } = numbers.parse(parameters);
      return queue.poll({ offset, limit, timeoutS: timeout, signal });
    }
    case "setWebhook":
    case "deleteWebhook":
      return setWebhook(call, state);
    case "getWebhookInfo":
      return {
        url: state.webhook?.url ?? "",
        has_custom_certificate: false,
        pending_update_count: queue.pending.length,
      };
    case "setMyCommands": {
      const commands = commandsSchema.max(100).safeParse(parameters["commands"]);
      if (!commands.success) throw badRequest("BOT_COMMAND_INVALID");
      state.commands = commands.data;
      return true;
    }
    case "sendMessage":
      return send(call, world, { ...messageText(call), ...keyboard(parameters) });
    case "sendPhoto":
    case "sendDocument":
    case "sendAudio":
    case "sendVoice":
    case "sendVideo":
      return send(call, world, {
        ...media(call, mediaOf[method], world),
        ...caption(call),
        ...keyboard(parameters),
      });
    case "sendChatAction":
      world.placeFor(parameters["chat_id"], parameters["message_thread_id"]);
      return true;
    case "sendMessageDraft":
      return sendDraft(call, state);
    case "editMessageText":
      return edit(call, world);
    case "getFile": {
      const kept = world.file(parameters["file_id"]);
      if (kept === undefined) throw badRequest("invalid file_id");
      if (kept.bytes.byteLength > maxReadBytes) throw badRequest("file is too big");
      const { file_id, file_unique_id, file_size } = kept.file;
      return { file_id, file_unique_id, file_size, file_path: `files/${file_id}` };
    }
    case "answerCallbackQuery": {
      const press = state.presses.get(String(parameters["callback_query_id"]));
      const { text = "" } = texts.parse(parameters);
      if (press === undefined || press.answer !== undefined)
        throw badRequest("query is too old and response timeout expired or query ID is invalid");
      if (text.length > maxOf(call, "text")) throw badRequest("MESSAGE_TOO_LONG");
      press.answer = text;
      return true;
    }
  }
}

const numbers = z.looseObject({
  offset: z.int().optional(),
  limit: z.int().optional(),
  timeout: z.int().optional(),
});
const texts = z.looseObject({ text: z.string().optional(), caption: z.string().optional() });

function maxOf({ method }: BotCall, key: string): number {
  return botParameters(method).get(key)?.max ?? Infinity;
}

function setWebhook({ parameters, method }: BotCall, state: BotState): true {
  const url = method === "setWebhook" && typeof parameters["url"] === "string" ? parameters["url"] : "";
  if (url !== "" && !/^https:|^http:\/\/127\.0\.0\.1:/.test(url))
    throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  const secret = parameters["secret_token"];
  if (secret !== undefined && (typeof secret !== "string" || !/^[\w-]{1,256}$/.test(secret)))
    throw badRequest("secret token contains unallowed characters");
  state.webhook = url === "" ? undefined : { url, secret };
  if (parameters["drop_pending_updates"] === true) state.queue.drop();
  if (state.webhook !== undefined)
    state.queue.interrupt(new BotRefusal(409, "Conflict: terminated by setWebhook request"));
  return true;
}

function messageText(call: BotCall): BotText {
  const { text = "" } = texts.parse(call.parameters);
  const { entities, parse_mode: parseMode } = call.parameters;
  const read = readBotText(text, { what: "text", max: maxOf(call, "text"), parseMode, entities });
  if (read.text.trim() === "") throw badRequest("message text is empty");
  return read;
}

function caption(call: BotCall): BotContent {
  const { caption: text } = texts.parse(call.parameters);
  if (text === undefined) return {};
  const { caption_entities: entities, parse_mode: parseMode } = call.parameters;
  const read = readBotText(text, { what: "caption", max: maxOf(call, "caption"), parseMode, entities });
  return { caption: read.text, caption_entities: read.entities };
}

function keyboard({ reply_markup: given }: BotCall["parameters"]): Pick<BotMessage, "reply_markup"> {
  if (given === undefined) return {};
  const parsed = keyboardSchema.safeParse(given);
  // The code under test sends no other keyboards.
  if (!parsed.success) throw badRequest("object expected as reply markup");
  for (const { text, callback_data: data, url } of parsed.data.inline_keyboard.flat()) {
    if ((data === undefined) === (url === undefined))
      throw badRequest(`inline keyboard button "${text}" must have exactly one of the optional fields`);
    if (data !== undefined && (data === "" || new TextEncoder().encode(data).byteLength > 64))
      throw badRequest("BUTTON_DATA_INVALID");
  }
  return { reply_markup: parsed.data };
}

function media(call: BotCall, kind: (typeof mediaOf)[keyof typeof mediaOf], world: BotWorld): BotContent {
  const upload = call.files.get(kind);
  const file = upload === undefined ? world.file(call.parameters[kind])?.file : kept(upload, kind, world);
  if (file === undefined) throw badRequest("wrong file identifier/HTTP URL specified");
  return kind === "photo" ? { photo: [file] } : { [kind]: file };
}

function kept({ name, bytes }: BotUpload, kind: (typeof mediaOf)[keyof typeof mediaOf], world: BotWorld): BotFile {
  if (bytes.byteLength === 0) throw badRequest("file must be non-empty");
  if (bytes.byteLength > maxSentBytes) throw new BotRefusal(413, "Request Entity Too Large");
  if (kind === "photo" && bytes.byteLength > maxPhotoBytes) throw badRequest("too big for a photo");
  if (kind === "photo") return world.keepFile(bytes, { width: 90, height: 90 });
  const type = kind === "document" ? {} : { mime_type: mediaTypes[kind], duration: 1 };
  return world.keepFile(bytes, { ...(kind === "voice" ? {} : { file_name: name }), ...type });
}

function send({ parameters }: BotCall, world: BotWorld, content: BotContent): BotMessage {
  const place = world.placeFor(parameters["chat_id"], parameters["message_thread_id"]);
  const { reply_parameters: given } = parameters;
  if (given === undefined) return world.add(place, world.bot, content);
  const reply = replySchema.safeParse(given);
  if (!reply.success) throw badRequest("can't parse reply parameters JSON object");
  const { message_id: id, allow_sending_without_reply: isOptional } = reply.data;
  const answered = world.messages(place.chat.id).find((message) => message.message_id === id);
  if (answered === undefined && !isOptional) throw badRequest("message to be replied not found");
  return world.add(place, world.bot, {
    ...content,
    ...(answered === undefined ? {} : { reply_to_message: answered }),
  });
}

function sendDraft(call: BotCall, { world, drafts }: BotState): true {
  const { chat_id: chatId, draft_id: draftId, message_thread_id: threadId } = call.parameters;
  const { chat } = world.placeFor(chatId, threadId);
  if (chat.type !== "private") throw badRequest("message drafts can be sent in private chats only");
  if (typeof draftId !== "number" || draftId === 0) throw badRequest("draft_id must be non-zero");
  const { text = "" } = texts.parse(call.parameters);
  const { entities, parse_mode: parseMode } = call.parameters;
  readBotText(text, { what: "text", max: maxOf(call, "text"), parseMode, entities });
  drafts.push({ chatId: chat.id, draftId, text, canStop: call.parameters["can_stop"] === true });
  return true;
}

function edit(call: BotCall, world: BotWorld): BotMessage {
  const { chat } = world.placeFor(call.parameters["chat_id"], undefined);
  const before = world.message(chat.id, call.parameters["message_id"]);
  if (before.from.id !== world.bot.id) throw badRequest("message can't be edited");
  const content = { ...messageText(call), ...keyboard(call.parameters) };
  const isSame = before.text === content.text && Bun.deepEquals(before.reply_markup, content.reply_markup);
  if (isSame && Bun.deepEquals(before.entities, content.entities)) throw badRequest("message is not modified");
  const { reply_markup: _gone, ...kept } = before;
  return world.replace(before, { ...kept, ...content });
}
