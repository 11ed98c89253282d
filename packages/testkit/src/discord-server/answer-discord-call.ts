import * as z from "zod";
import { DiscordRefusal, invalidForm } from "./discord-refusal.ts";
import { tellOfMessage, type DiscordState } from "./discord-person.ts";
import { commandsSchema, messageBodySchema, messageKeys } from "./message-body.ts";
import { checked, type DiscordCall, type DiscordRoute } from "./rest-call.ts";
import type { DiscordAttachment, DiscordMessage } from "./discord-world.ts";

/** https://docs.discord.com/developers/reference#uploading-files */
const maxFileBytes = 10_485_760;
const maxFiles = 10;
const suppressEmbeds = 1 << 2;
/** The documentation says "a few minutes". */
const nonceMs = 180_000;

const recipientSchema = z.looseObject({ recipient_id: z.string().regex(/^\d{1,20}$/) });
const pageSchema = z.looseObject({ limit: z.coerce.number().int().min(1).max(100).default(50) });

export interface AnswerOptions {
  readonly state: DiscordState;
  readonly gatewayUrl: string;
  readonly now: () => number;
  /** The service ignores these. */
  readonly onProblem: (problem: string) => void;
}

/** `undefined` for no body. @throws {DiscordRefusal} as the service would. */
export function answerDiscordCall(route: DiscordRoute, call: DiscordCall, options: AnswerOptions): unknown {
  const { state, gatewayUrl } = options;
  const { world, gateway } = state;
  const { ids, body } = call;
  const [first = "", second = ""] = ids;
  switch (route) {
    case "GET /gateway":
      return { url: gatewayUrl };
    case "GET /gateway/bot": {
      const limit = { total: 1_000, remaining: gateway.sessionsLeft, reset_after: 3_600_000, max_concurrency: 1 };
      return { url: gatewayUrl, shards: 1, session_start_limit: limit };
    }
    case "GET /users/@me":
      return world.bot;
    case "POST /users/@me/channels":
      return world.privateChat(checked(recipientSchema, body).recipient_id);
    case "GET /applications/:id/commands":
    case "PUT /applications/:id/commands":
      if (first !== world.bot.id)
        throw new DiscordRefusal(403, 20_012, "You are not authorized for this application");
      if (route.startsWith("PUT"))
        state.commands = checked(commandsSchema, body).map((command) => ({
          ...command,
          id: world.nextId(),
          application_id: first,
          version: world.nextId(),
          default_member_permissions: null,
          nsfw: false,
        }));
      return state.commands;
    case "GET /channels/:id":
      return world.channel(first);
    case "GET /channels/:id/messages":
      return page(world.messages(world.channel(first).id), call.query);
    case "GET /channels/:id/messages/:id":
      return world.message(world.channel(first).id, second);
    case "POST /channels/:id/messages":
      return send(call, first, options);
    case "PATCH /channels/:id/messages/:id":
      return edit(call, state, { channelId: first, messageId: second });
    case "POST /channels/:id/typing":
      world.channel(first);
      world.assertMayWrite(first);
      return undefined;
    case "POST /interactions/:id/:token/callback":
      state.interactions.callback(first, second, body);
      return undefined;
    case "PATCH /webhooks/:id/:token/messages/@original":
      return state.interactions.editAnswer(first, second, body);
  }
}

/** Newest first for any query: https://docs.discord.com/developers/resources/message#get-channel-messages */
function page(messages: readonly DiscordMessage[], query: DiscordCall["query"]): readonly DiscordMessage[] {
  const { limit } = checked(pageSchema, Object.fromEntries(query));
  const [before, after] = [query.get("before"), query.get("after")];
  if (before !== undefined && after !== undefined) throw invalidForm("after", "EXCLUSIVE", "Only one may be given");
  if (after !== undefined)
    return messages
      .filter(({ id }) => BigInt(id) > BigInt(after))
      .slice(0, limit)
      .toReversed();
  const older = before === undefined ? messages : messages.filter(({ id }) => BigInt(id) < BigInt(before));
  return older.slice(-limit).toReversed();
}

function send(call: DiscordCall, channelId: string, { state, now, onProblem }: AnswerOptions): DiscordMessage {
  const { world } = state;
  const channel = world.channel(channelId);
  world.assertMayWrite(channelId);
  const given = checked(messageBodySchema, call.body ?? {});
  for (const key of Object.keys(given)) if (!messageKeys.has(key)) onProblem(`a message has no field "${key}"`);
  const { content, nonce, enforce_nonce: isEnforced, components, message_reference: reference } = given;
  if (isEnforced && nonce !== undefined) {
    const same = world
      .messages(channelId)
      .find((message) => message.nonce === nonce && now() - Date.parse(message.timestamp) <= nonceMs);
    if (same !== undefined) return same;
  }
  if ((given.flags & ~(suppressEmbeds | (1 << 12) | (1 << 15))) !== 0)
    throw invalidForm("flags", "INVALID_BITFIELD", "These flags cannot be set");
  const attachments = uploaded(call, state, given.attachments);
  if (content.trim() === "" && attachments.length === 0 && components.length === 0)
    throw new DiscordRefusal(400, 50_006, "Cannot send an empty message");
  const answered = reference === undefined ? undefined : referenced(reference, channelId, state);
  const message = world.add(channel, world.bot, {
    content: content.trim(),
    attachments,
    components,
    flags: given.flags,
    ...(nonce === undefined ? {} : { nonce }),
    ...(answered === undefined ? {} : { answered }),
  });
  if (given.allowed_mentions === undefined && /<@|@everyone|@here/.test(content))
    onProblem("a message that may mention people was sent without allowed_mentions");
  tellOfMessage(state, "MESSAGE_CREATE", message);
  return message;
}

function referenced(
  {
    message_id: id,
    fail_if_not_exists: isNeeded,
  }: { readonly message_id: string; readonly fail_if_not_exists: boolean },
  channelId: string,
  { world }: DiscordState,
): DiscordMessage | undefined {
  const found = world.messages(channelId).find((message) => message.id === id);
  if (found === undefined && isNeeded)
    throw invalidForm("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message");
  return found;
}

function uploaded(
  { files }: DiscordCall,
  { world }: DiscordState,
  described: z.infer<typeof messageBodySchema>["attachments"],
): readonly DiscordAttachment[] {
  if (files.size > maxFiles) throw invalidForm("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer");
  let total = 0;
  return [...files].map(([number, { name, type, bytes }]) => {
    total += bytes.byteLength;
    if (total > maxFileBytes) throw new DiscordRefusal(413, 40_005, "Request entity too large");
    const filename = described.find(({ id }) => Number(id) === number)?.filename ?? name;
    return world.keepFile(filename, bytes, type.split(";", 1)[0]);
  });
}

function edit(
  { body }: DiscordCall,
  state: DiscordState,
  { channelId, messageId }: { readonly channelId: string; readonly messageId: string },
): DiscordMessage {
  const before = state.world.message(channelId, messageId);
  if (before.author.id !== state.world.bot.id)
    throw new DiscordRefusal(403, 50_005, "Cannot edit a message authored by another user");
  const { content, components } = checked(messageBodySchema.partial(), body);
  const edited = state.world.edit(before, {
    ...(content === undefined ? {} : { content }),
    ...(components === undefined ? {} : { components }),
  });
  tellOfMessage(state, "MESSAGE_UPDATE", edited);
  return edited;
}
