import { withFields, type ModelMessage, type ToolDefinition } from "@incipit/schema";
import { chatEntries, fillerEntry, plainEntry, systemEntry, type ChatMessageOptions } from "./chat-message.ts";
import { type ChatRequest, goOn, noAnswer, type ChatRules } from "./chat-request.ts";
import { chatSettings, chatTool, chatTools } from "./chat-settings.ts";

export type ChatEncoderOptions = ChatMessageOptions;

interface WrittenRequest {
  readonly model: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly body: string;
  /** Start of the entries of `messages`; they end before the closing `]}`. */
  readonly listStart: number;
  readonly lastRole: LastRole;
}

type LastRole = ModelMessage["role"] | undefined;

const closing = "]}";

/**
 * Encodes chat completion requests as a growing prefix: constant parts come first and messages last, so that a
 * request without its closing `]}` is a byte prefix of the conversation's next one. Vendors key their caches on
 * tools, system and messages in that order. Requests are cached by their last message, for its lifetime.
 */
export class ChatEncoder {
  readonly #options: ChatEncoderOptions;
  readonly #written = new WeakMap<ModelMessage, WrittenRequest>();
  readonly #tools = new WeakMap<ToolDefinition, string>();

  constructor(options: ChatEncoderOptions) {
    this.#options = options;
  }

  /** @throws {TypeError} for content that the protocol does not support. */
  encode(request: ChatRequest): string {
    const { model, systemPrompt, messages } = request;
    const before = this.#take(request);
    const rules = this.#options.rulesOf?.(model) ?? {};
    const head = this.#head(request, rules);
    const systemTexts =
      rules.isOneSystem === true && systemPrompt.length > 1 ? [systemPrompt.join("\n\n")] : systemPrompt;
    const isMarked = (index: number): boolean => rules.marksCache === true && index === systemTexts.length - 1;
    const entries =
      before === undefined ? systemTexts.map((text, index) => systemEntry(text, isMarked(index))) : listOf(before);
    let lastRole = before?.lastRole;
    // The first request after a restart may have tens of thousands of messages.
    for (let index = before?.messages.length ?? 0; index < messages.length; index += 1) {
      const message = messages[index];
      if (message === undefined) continue;
      const plain = plainEntry(message, rules);
      const written =
        plain === undefined ? chatEntries(message, { model, rules, options: this.#options }) : [plain];
      if (written.length === 0) continue;
      if (message.role === "user" && wantsReply(rules, lastRole))
        entries.push(fillerEntry("assistant", noAnswer, rules));
      if (message.role === "assistant" && rules.alternates === true && isAssistants(lastRole))
        entries.push(fillerEntry("user", goOn, rules));
      entries.push(...written);
      lastRole = message.role;
    }
    const body = flat(head, entries);
    const last = messages.at(-1);
    // Copied, because the caller may append to the list.
    if (last !== undefined)
      this.#written.set(last, {
        model,
        systemPrompt,
        messages: [...messages],
        body,
        listStart: head.length,
        lastRole,
      });
    return body;
  }

  #take({ model, systemPrompt, messages }: ChatRequest): WrittenRequest | undefined {
    let last: ModelMessage | undefined;
    let before: WrittenRequest | undefined;
    for (let index = messages.length - 1; index >= 0 && before === undefined; index -= 1) {
      last = messages[index];
      before = last && this.#written.get(last);
    }
    if (last === undefined || before === undefined) return undefined;
    this.#written.delete(last);
    const isPrefix =
      before.model === model &&
      before.systemPrompt.length === systemPrompt.length &&
      before.systemPrompt.every((text, index) => text === systemPrompt[index]) &&
      before.messages.length <= messages.length &&
      beginsWith(messages, before.messages);
    return isPrefix ? before : undefined;
  }

  /** Encodes the settings, then the tools, which come first in vendors' cache keys. */
  #head(request: ChatRequest, rules: ChatRules): string {
    const { dialect } = this.#options;
    const written = withFields(chatSettings(request, dialect, rules), request.settings?.vendorFields ?? {});
    const settings = JSON.stringify(written).slice(0, -1);
    const tools = chatTools(request, dialect, rules)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((tool) => {
        const text = this.#tools.get(tool) ?? chatTool(tool, dialect);
        this.#tools.set(tool, text);
        return text;
      });
    return `${settings}${tools.length === 0 ? "" : `,"tools":[${tools.join(",")}]`},"messages":[`;
  }
}

function wantsReply({ alternates, wantsReplyToResults }: ChatRules, lastRole: LastRole): boolean {
  return (alternates === true && lastRole === "user") || (wantsReplyToResults === true && lastRole === "tool");
}

/** Whether the messages so far end with a reply, or there are none. */
function isAssistants(lastRole: LastRole): boolean {
  return lastRole === "assistant" || lastRole === undefined;
}

/** By identity first: in a long history almost all messages are the same objects. */
function beginsWith(messages: readonly ModelMessage[], before: readonly ModelMessage[]): boolean {
  for (let index = 0; index < before.length; index += 1) {
    const message = before[index];
    if (message === messages[index] || message === undefined) continue;
    if (!isSameMessage(message, messages[index])) return false;
  }
  return true;
}

function listOf({ body, listStart }: WrittenRequest): string[] {
  const list = body.slice(listStart, -closing.length);
  return list === "" ? [] : [list];
}

/** Joins the parts at once, because the engine flattens a concatenated string on its first read. */
function flat(head: string, entries: readonly string[]): string {
  const pieces = [head];
  for (const entry of entries) pieces.push(entry, ",");
  if (entries.length > 0) pieces.pop();
  pieces.push(closing);
  return pieces.join("");
}

/** The history may be rebuilt for each request from equal messages. */
function isSameMessage(a: ModelMessage, b: ModelMessage | undefined): boolean {
  return (
    b !== undefined &&
    a.role === b.role &&
    a.model === b.model &&
    JSON.stringify(a.parts) === JSON.stringify(b.parts)
  );
}
