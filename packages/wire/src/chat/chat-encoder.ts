import { withFields, type ModelMessage, type ToolDefinition } from "@incipit/schema";
import { chatEntries, fillerEntry, plainEntry, systemEntry, type ChatMessageOptions } from "./chat-message.ts";
import type { ChatRequest } from "./chat-request.ts";
import { goOn, noAnswer, type ChatRules } from "./chat-rules.ts";
import { chatSettings, chatTool, chatTools } from "./chat-settings.ts";

export type ChatEncoderOptions = ChatMessageOptions;

/** A request as it was written. */
interface WrittenRequest {
  readonly model: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly body: string;
  /** Where the entries of `messages` begin in the body; they end before its closing `]}`. */
  readonly listStart: number;
  readonly lastRole: LastRole;
}

/** Whose the last entry is; `undefined`: there is none but system texts. */
type LastRole = ModelMessage["role"] | undefined;

const closing = "]}";

/**
 * Writes requests of chat completions so that they only grow: what stays the same comes first and the messages last, so that a
 * request without its closing `]}` is a byte prefix of the next one of its conversation. Vendors key their caches on tools,
 * system and messages in that order.
 *
 * What was written is found by the last message that it had, and lives as long as that: a request whose messages begin with
 * those of one before is that one's bytes and the new entries, put together once.
 */
export class ChatEncoder {
  readonly #options: ChatEncoderOptions;
  readonly #written = new WeakMap<ModelMessage, WrittenRequest>();
  readonly #tools = new WeakMap<ToolDefinition, string>();

  constructor(options: ChatEncoderOptions) {
    this.#options = options;
  }

  /** @throws {TypeError} for what the protocol has no place for. */
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
    // The first request after a start may have tens of thousands of messages.
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
    // A copy: whoever asks may let the very list grow.
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

  /** What was written of a beginning of the messages; it is not kept any longer, for what is written next has it in it. */
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

  /** The body up to its messages: the settings, then the tools, which vendors have first in their cache's key. */
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

/** A reply stands there, or nothing yet. */
function isAssistants(lastRole: LastRole): boolean {
  return lastRole === "assistant" || lastRole === undefined;
}

/** Looks at each message, with each step: of a long history all but the newest are the same objects. */
function beginsWith(messages: readonly ModelMessage[], before: readonly ModelMessage[]): boolean {
  for (let index = 0; index < before.length; index += 1) {
    const message = before[index];
    if (message === messages[index] || message === undefined) continue;
    if (!isSameMessage(message, messages[index])) return false;
  }
  return true;
}

/** The entries of a body, in one piece. */
function listOf({ body, listStart }: WrittenRequest): string[] {
  const list = body.slice(listStart, -closing.length);
  return list === "" ? [] : [list];
}

/** One flat string, copied once: a sum of strings is put together by whoever reads it first, and each sum of that anew. */
function flat(head: string, entries: readonly string[]): string {
  const pieces = [head];
  for (const entry of entries) pieces.push(entry, ",");
  if (entries.length > 0) pieces.pop();
  pieces.push(closing);
  return pieces.join("");
}

/** A history may be put together anew for each request, of the messages that it had. */
function isSameMessage(a: ModelMessage, b: ModelMessage | undefined): boolean {
  return (
    b !== undefined &&
    a.role === b.role &&
    a.model === b.model &&
    JSON.stringify(a.parts) === JSON.stringify(b.parts)
  );
}
