import { shorten } from "@incipit/common";
import { errorMessage, LinkedSignal, withDeadline } from "@incipit/kernel";
import type { ConversationId, CreateTurnRequest } from "@incipit/schema";
import type { ChannelFile, ChannelUpdate } from "@incipit/service-contract";
import type { ChannelContext } from "./chats-context.ts";
import { oneLineOf } from "./texts.ts";

const maxTextLength = 200_000;
const maxQuotedLength = 2_000;
const maxFiles = 10;
const fileTimeoutMs = 120_000;

type Input = CreateTurnRequest["input"];
type Part = Exclude<Input, string>[number];
type Message = Extract<ChannelUpdate, { kind: "message" }>;

export async function messageInput(
  context: ChannelContext,
  message: Message,
  {
    conversationId,
    model,
    note,
  }: {
    readonly conversationId: ConversationId;
    readonly model: string | undefined;
    readonly note: string;
  },
): Promise<Input> {
  const files = message.files.slice(0, maxFiles);
  const kept: Part[] = [];
  for (const file of files) kept.push(await filePart(context, { id: conversationId, model }, file));
  const left = message.files.length - files.length;
  const lines = [
    note,
    message.quoted === undefined ? undefined : quotedText(message.quoted),
    messageText(message),
    left > 0 ? `[${left} more files were left out: a message may have ${maxFiles}.]` : undefined,
  ];
  const text = lines.filter((line) => line !== undefined && line.trim() !== "").join("\n\n");
  if (kept.length === 0) return text;
  return apart(text === "" ? kept : [{ type: "text", text }, ...kept]);
}

/** Separates adjacent texts, which some vendors' formats join without a separator. */
function apart(parts: readonly Part[]): Part[] {
  const made: Part[] = [];
  for (const part of parts) {
    const last = made.at(-1);
    if (part.type === "text" && last?.type === "text")
      made.splice(-1, 1, { type: "text", text: `${last.text}\n\n${part.text}` });
    else made.push(part);
  }
  return made;
}

export function messageText({ chat, sender, text }: Pick<Message, "chat" | "sender" | "text">): string {
  const whole = text.toWellFormed();
  const isCut = whole.length > maxTextLength;
  const shown = isCut ? `${whole.slice(0, maxTextLength).toWellFormed()}\n[The rest was cut off.]` : whole;
  return chat.kind === "group" && shown.trim() !== "" ? `${oneLineOf(sender.name)}: ${shown}` : shown;
}

function quotedText(quoted: string): string {
  const whole = quoted.toWellFormed();
  const shown = shorten(whole, maxQuotedLength);
  return shown.replaceAll(/^/gm, "> ");
}

async function filePart(
  context: ChannelContext,
  { id, model }: { readonly id: ConversationId; readonly model: string | undefined },
  file: ChannelFile,
): Promise<Part> {
  const { channel, media, clock, signal } = context;
  const maxBytes = channel.maxFileBytes.in;
  const name = file.name === undefined ? "" : ` "${oneLineOf(file.name, 255)}"`;
  const left = (why: string): Part => ({
    type: "text",
    text: `[A file${name} was sent, and is not here: ${why}.]`,
  });
  const keeper = media.current;
  if (keeper === undefined) return left("this host takes no files");
  if (file.sizeBytes !== undefined && file.sizeBytes > maxBytes) return left("it is too large");
  const late = new AbortController();
  using either = new LinkedSignal(signal, late.signal);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await withDeadline(() => file.read({ maxBytes, signal: either.signal }), {
      timeoutMs: fileTimeoutMs,
      clock,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return left(oneLineOf(errorMessage(error), 300));
  } finally {
    late.abort();
  }
  const { mediaType } = file;
  const options = { signal, ...(model === undefined ? {} : { model }) };
  const kept = await keeper.keep(id, { name: file.name, mediaType, bytes }, options);
  return kept.kind === "image" ? kept.part : { type: "text", text: kept.text };
}
