import { undelivered, unreachedMs, uploadName } from "@incipit/common/channels";
import { waitUnlessAborted, type Clock } from "@incipit/kernel";
import type { ChannelButton, ChannelDelivery, ChannelMessage } from "@incipit/service-contract";
import { placeOf } from "./chat-id.ts";
import { createdSchema } from "./events.ts";
import type { Places } from "./places.ts";
import { CallError, type CallFailure, type RestCall, type RestClient } from "./rest-client.ts";

/** https://docs.discord.com/developers/resources/message#create-message */
export const maxTextLength = 2_000;
/** All attempts end within the few minutes in which Discord deduplicates by nonce. */
const tries = { text: { count: 3, timeoutMs: 20_000 }, file: { count: 2, timeoutMs: 50_000 } } as const;
const retryMs = 1_000;
const service = { service: "Discord", tokenStatuses: [401] } as const;
const suppressEmbeds = 1 << 2;
const maxRowButtons = 5;
const maxLabelLength = 80;

export interface SendOptions {
  readonly chatId: string;
  readonly places: Places;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Attempts without a response are repeated under the same nonce, which Discord deduplicates; if none gets one, the
 * outcome is unknown.
 * @throws the signal's reason, and nothing else.
 */
export async function sendMessage(
  rest: RestClient,
  message: ChannelMessage,
  { chatId, places, clock, signal }: SendOptions,
): Promise<ChannelDelivery> {
  const channelId = await channelOf(chatId, places, signal);
  if (typeof channelId !== "string") return channelId;
  const { delivery, isGone } = await sendTo(rest, callOf(message, channelId), {
    kind: message.kind,
    clock,
    signal,
  });
  const place = placeOf(chatId);
  const parentId = place?.kind === "channel" ? place.parentId : undefined;
  if (!isGone || parentId === undefined) return delivery;
  // When its thread is deleted or locked, the channel is better than nowhere.
  const outside = message.kind === "text" ? { ...message, replyTo: undefined } : message;
  return (await sendTo(rest, callOf(outside, parentId), { kind: message.kind, clock, signal })).delivery;
}

async function sendTo(
  rest: RestClient,
  call: RestCall,
  { kind, clock, signal }: Pick<SendOptions, "clock" | "signal"> & Pick<ChannelMessage, "kind">,
): Promise<{ readonly delivery: ChannelDelivery; readonly isGone: boolean }> {
  const { count, timeoutMs } = tries[kind];
  let doubt: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { id } = createdSchema.parse(await rest.call(call, { timeoutMs, signal }));
      return { delivery: { kind: "sent", messageId: id }, isGone: false };
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(error);
      const delivery = undelivered(failure, service);
      // A later rejection does not resolve an earlier attempt without a response.
      if (doubt === undefined && delivery.kind !== "unknown") return { delivery, isGone: isGone(failure) };
      doubt ??= "why" in delivery ? delivery.why : "";
      if (attempt === count) return { delivery: { kind: "unknown", why: doubt }, isGone: false };
      await waitUnlessAborted(retryMs * attempt, clock, signal);
      signal.throwIfAborted();
    }
  }
}

async function channelOf(chatId: string, places: Places, signal: AbortSignal): Promise<string | ChannelDelivery> {
  const place = placeOf(chatId);
  if (place === undefined) return { kind: "failed", why: `"${chatId}" is not a Discord chat` };
  if (place.kind === "channel") return place.channelId;
  try {
    return await places.privateChannel(place.userId, signal);
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(error);
    const delivery = undelivered(failure, service);
    // Nothing was sent, and opening a private chat is idempotent.
    return delivery.kind === "unknown" ? { kind: "later", afterMs: unreachedMs, why: failure.why } : delivery;
  }
}

function callOf(message: ChannelMessage, channelId: string): RestCall {
  const body = {
    nonce: crypto.randomUUID().replaceAll("-", "").slice(0, 25),
    enforce_nonce: true,
    allowed_mentions: { parse: [] },
  };
  const route = { method: "POST", path: `/channels/${channelId}/messages` } as const;
  if (message.kind === "file") {
    const { name, mediaType, bytes } = message;
    const filename = uploadName(name);
    const attachments = [{ id: 0, filename }];
    return { ...route, body: { ...body, attachments }, file: { name: filename, mediaType, bytes } };
  }
  const { text, buttons, replyTo } = message;
  return {
    ...route,
    body: {
      ...body,
      content: text,
      flags: suppressEmbeds,
      ...(buttons.length === 0 ? {} : { components: rowsOf(buttons) }),
      // The replied-to message may be deleted.
      ...(replyTo === undefined || !/^\d{1,20}$/.test(replyTo)
        ? {}
        : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    },
  };
}

/** https://docs.discord.com/developers/components/reference */
function rowsOf(buttons: readonly ChannelButton[]): object[] {
  const rows: object[] = [];
  for (let at = 0; at < buttons.length; at += maxRowButtons)
    rows.push({
      type: 1,
      components: buttons.slice(at, at + maxRowButtons).map(({ id, label }) => ({
        type: 2,
        style: 2,
        label: label.slice(0, maxLabelLength).toWellFormed(),
        custom_id: id,
      })),
    });
  return rows;
}

function isGone(failure: CallFailure): boolean {
  return failure.kind === "refused" && (failure.status === 404 || /\barchived\b/i.test(failure.why));
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof CallError) return error.failure;
  // Discord answered without a message id.
  return { kind: "unanswered", why: "the response did not come from Discord" };
}
