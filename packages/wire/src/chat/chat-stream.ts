import type { FinishReason, PartMetadata, VendorResponse } from "@incipit/schema";
import { OpenParts } from "../reply/open-parts.ts";
import type { ReplyItem, ReplyProblem, ReplyToolCall } from "../reply/reply-event.ts";
import { EventData } from "../sse/event-data.ts";
import { secureJson } from "../json/secure-json.ts";
import { hidesWords, saidError } from "../reply/said-error.ts";
import type { ChatChoice, ChatChunk, ChatChunkDelta, ChatRawUsage, ToolCallDelta } from "./chat-chunk.ts";
import { chatUsage } from "./chat-usage.ts";
import type { ChatDialect } from "./chat-request.ts";
import type { ChunkReader } from "./chunk-reader.ts";
import { NamedCalls } from "./named-calls.ts";
import { saidInDelta } from "./said-in-delta.ts";
import { openaiStreamError } from "./stream-error.ts";
import { ToolCalls, type ToolCall } from "./tool-calls.ts";

export interface ChatStreamOptions {
  readonly reader: ChunkReader;
  /** The key in a part's metadata under which the provider keeps what it wants back with it. */
  readonly metadataKey: string;
  /** An id for a call that came without one, or with that of another. */
  readonly newId: () => string;
  /** Longest arguments of all calls together, in UTF-16 units: they are kept until the end. */
  readonly maxArgumentsLength: number;
  /** Most chunks and pieces of arguments one after the other of which nothing is told. */
  readonly maxSilentParts: number;
}

/** In UTF-16 units, of what came in place of events. */
const maxWordsLength = 2_000;

/** Reasoning that came in this field has to go back in it. */
const saidInField: PartMetadata = { incipit: { reasoningField: "reasoning_content" } };

/**
 * One streamed reply of chat completions, from its bytes to what it says. What it says of one event is the same wherever the
 * bytes are cut. Tool calls come whole, with the end: those of a reply that is cut off are never given. A problem is the last
 * item.
 */
export class ChatStream {
  readonly #options: ChatStreamOptions;
  readonly #events = new EventData();
  readonly #parts: OpenParts;
  readonly #named = new NamedCalls();
  readonly #calls: ToolCalls;
  #items: ReplyItem[] = [];
  #hasEnded = false;
  /** `[DONE]` has come. */
  #isDone = false;
  /** What came where JSON was expected. */
  #words: string | undefined;
  /** Metadata of all reasoning of the reply. */
  #reasoning: PartMetadata | undefined;
  #usage: ChatRawUsage | undefined;
  #finish: string | undefined;
  /** Output followed a finish reason: the server repeats one with each chunk, and only its end is the end. */
  #continuesPastFinish = false;
  /** As the first chunk that says something of it has it. */
  #response: VendorResponse | undefined;
  #hasRefusal = false;
  #hasContent = false;
  #text = "";
  /** Some of the text came in deltas. */
  #hasDeltaText = false;
  #hasReasoning = false;
  /** Some of the answer itself has come. */
  #hasOutput = false;
  #argumentsLength = 0;
  #silentParts = 0;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
    const isOpenai = options.reader.dialect === "openai";
    this.#parts = new OpenParts({ text: isOpenai ? "0" : "txt-0", reasoning: "reasoning-0" });
    this.#calls = new ToolCalls(options.newId);
  }

  /** Whether it held an event of a reply; of OpenAI's, once there is some of the answer. */
  get hasContent(): boolean {
    return this.#hasContent && (this.#hasOutput || this.#hasEnded || this.#options.reader.dialect === "compatible");
  }

  /** `whole`: nothing of the reply is missing, though more may come, such as usage. `ended`: nothing more of it comes. */
  get progress(): "open" | "whole" | "ended" {
    if (this.#isDone) return "ended";
    if (this.#finish === undefined || this.#continuesPastFinish) return "open";
    // Without any output, the reason may have come with the role, ahead of the answer.
    return this.#text !== "" || this.#hasReasoning || this.#calls.all().length > 0 ? "whole" : "open";
  }

  /** What is said in `bytes`. @throws {RangeError} for an event that is nested so deeply that nobody can tell what it is. */
  take(bytes: Uint8Array): readonly ReplyItem[] {
    for (const data of this.#events.take(bytes)) if (!this.#hasEnded) this.#event(data);
    return this.#given();
  }

  /** What the end of the bytes says. */
  end(): readonly ReplyItem[] {
    if (this.#hasEnded) return [];
    for (const data of this.#events.end())
      if (!this.#hasEnded && (isWhole(data) || !isJson(data))) this.#event(data);
    if (!this.#hasEnded) this.#inPlaceOfEvents(this.#events.stray.trim());
    if (this.#hasEnded) return this.#given();
    this.#items.push(...this.#parts.end("reasoning", this.#reasoning), ...this.#parts.end("text"));
    if (this.#named.nameless().every((delta) => this.#call(delta))) this.#finished();
    this.#hasEnded = true;
    return this.#given();
  }

  #given(): readonly ReplyItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  /** A server may answer with a whole reply, an error or words where a stream was asked for. */
  #inPlaceOfEvents(stray: string): void {
    if (stray === "" || this.#hasContent) return;
    // A page says nothing to whoever waits for a reply: that it came does.
    if (stray.startsWith("<")) return;
    if (isWhole(stray)) this.#event(stray);
    else this.#words ??= asWords(stray);
  }

  #finished(): void {
    const hasCalls = this.#calls.all().length > 0;
    // Some servers never say how a reply ended; that they are done they say.
    if (this.#isDone && (this.#text !== "" || hasCalls)) this.#finish ??= hasCalls ? "tool_calls" : "stop";
    if (this.#finish === undefined && this.#words !== undefined && !this.#hasContent)
      return this.#fail(this.#problemOf({ message: this.#words }));
    if (this.#finish === undefined) return this.#fail({ kind: "cut-off" });
    if (this.#finish === "error") return this.#fail({ kind: "broken-off", reason: "error" });
    this.#items.push(...this.#calls.all().map((call) => this.#whole(call)), {
      type: "finish",
      usage: chatUsage(this.#usage),
      finishReason: finishReason(this.#finish, this.#hasRefusal),
      ...(this.#response === undefined ? {} : { response: this.#response }),
    });
  }

  #fail(problem: ReplyProblem): void {
    this.#hasEnded = true;
    this.#items.push({ type: "problem", problem });
  }

  /** A part of the reply of which nothing is told; endless ones keep whoever reads them busy, and nobody sees why. */
  #silent(): void {
    this.#silentParts += 1;
    if (this.#silentParts > this.#options.maxSilentParts) this.#fail({ kind: "too-large" });
  }

  #tell(items: readonly ReplyItem[]): void {
    if (items.length > 0) this.#silentParts = 0;
    this.#items.push(...items);
  }

  #event(data: string): void {
    if (data === "[DONE]") {
      this.#isDone = true;
      return;
    }
    const read = this.#options.reader.read(data);
    switch (read.kind) {
      case "unreadable":
        return this.#fail(read);
      case "error":
        return this.#fail(this.#problemOf(read.error));
      case "words":
        this.#words ??= asWords(read.text);
        return this.#silent();
      case "nothing":
        return this.#silent();
      case "chunk":
        return this.#chunk(read.chunk);
    }
  }

  #problemOf(sent: unknown): ReplyProblem {
    // As it came where it has words of its own; streams hold texts, lists and objects of other shapes, too.
    const error = hasMessage(sent) && !hidesWords(sent) ? sent : saidError(sent);
    if (this.#options.reader.dialect === "compatible") return { kind: "error", error };
    const known = openaiStreamError(error);
    if (this.#hasOutput) return { kind: "error", error: known ?? error };
    const { statusCode: status = 500, message = saidError(error).message } = known ?? {};
    return { kind: "refused", status, message, error };
  }

  #chunk({ id, model, created, usage, choices }: ChatChunk): void {
    const { dialect } = this.#options.reader;
    if (dialect === "compatible") this.#silent();
    if (this.#hasEnded) return;
    if (id || model || created) this.#hasContent = true;
    if (id || model) this.#response ??= { ...(id ? { id } : {}), ...(model ? { model } : {}) };
    if (usage && Object.keys(usage).length > 0) this.#usage = dialect === "openai" ? ownUsage(usage) : usage;
    this.#hasOutput ||= choices.some(hasOutput);
    const [choice] = choices;
    if (choice !== undefined) this.#choice(choice);
  }

  #choice(choice: ChatChoice): void {
    this.#continuesPastFinish ||= this.#finish !== undefined && hasDelta(choice, this.#options.reader.dialect);
    if (choice.finish_reason) this.#finish = choice.finish_reason; // Some send an empty one until the end.
    if (choice.delta !== undefined && choice.delta !== null) this.#delta(choice.delta);
    if (choice.message !== undefined && !this.#hasEnded)
      this.#delta(this.#unsaidOf(choice.message), { isOfMessage: true });
  }

  /** What a whole message says beyond what was said: it repeats that, or comes in pieces in place of deltas. */
  #unsaidOf({ content, tool_calls: calls, ...message }: ChatChunkDelta): ChatChunkDelta {
    const text = saidInDelta({ content }, this.#options.reader.dialect)
      .flatMap((said) => (said.kind === "text" ? [said.text] : []))
      .join("");
    const isRepeated = text.startsWith(this.#text);
    const rest = isRepeated ? text.slice(this.#text.length) : this.#hasDeltaText ? "" : text;
    return {
      ...(this.#hasReasoning ? {} : message),
      content: rest,
      tool_calls: this.#calls.all().length > 0 ? [] : calls,
    };
  }

  #delta(delta: ChatChunkDelta, { isOfMessage = false } = {}): void {
    const { dialect } = this.#options.reader;
    if (dialect === "compatible" && delta.reasoning_content) this.#reasoning ??= saidInField;
    const said = saidInDelta(delta, dialect);
    for (const { kind, text } of said) this.#say(kind, text);
    this.#hasDeltaText ||= !isOfMessage && said.some(({ kind }) => kind === "text");
    if (typeof delta.refusal === "string" && delta.refusal !== "") this.#hasRefusal = true;
    if (dialect === "openai") this.#unsaid(delta, said.length);
    this.#callsOf(delta.tool_calls ?? []);
  }

  /** What OpenAI says without a word: a text that is empty, or where it has something from. */
  #unsaid({ content, annotations }: ChatChunkDelta, saidCount: number): void {
    if ((saidCount > 0 || content !== "") && (annotations ?? []).length === 0) return;
    this.#hasContent = true;
    this.#silent();
  }

  #say(kind: "text" | "reasoning", text: string): void {
    this.#hasContent = true;
    if (kind === "text") this.#text += text;
    else this.#hasReasoning = true;
    const others = kind === "text" ? "reasoning" : "text";
    this.#tell([...this.#endOf(others), ...this.#parts.say(kind, text)]);
  }

  /** One kind ends where the other begins. */
  #endOf(kind: "text" | "reasoning"): readonly ReplyItem[] {
    return this.#parts.end(kind, kind === "reasoning" ? this.#reasoning : undefined);
  }

  #callsOf(deltas: readonly ToolCallDelta[]): void {
    if (deltas.length === 0 || this.#hasEnded) return;
    const isOpenai = this.#options.reader.dialect === "openai";
    if (!isOpenai) this.#tell(this.#endOf("reasoning"));
    for (const delta of deltas) {
      const named = isOpenai ? delta : this.#named.take(delta);
      if (named !== undefined && !this.#call(named)) return;
    }
  }

  /** Whether the reply can go on. */
  #call(delta: ToolCallDelta): boolean {
    let taken: ReturnType<ToolCalls["take"]>;
    try {
      taken = this.#calls.take(delta);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#fail({ kind: "unreadable", message: error.message });
      return false;
    }
    if (taken === undefined) return true;
    const { call, isNew } = taken;
    this.#hasContent = true;
    if (isNew) this.#tell([{ type: "tool-call-start", toolCallId: call.id, name: call.name }]);
    const length = delta.function.arguments?.length ?? 0;
    this.#argumentsLength += length;
    if (length > 0) this.#silentParts = 0; // They are bounded by their length.
    else if (!isNew) this.#silent();
    if (this.#argumentsLength > this.#options.maxArgumentsLength && !this.#hasEnded)
      this.#fail({ kind: "too-large" });
    return !this.#hasEnded;
  }

  #whole({ id, name, arguments: { text: input }, signature }: ToolCall): ReplyToolCall {
    const { reader, metadataKey } = this.#options;
    const call = { type: "tool-call", toolCallId: id, name, input } as const;
    if (!signature || reader.dialect === "openai") return call;
    return { ...call, metadata: { [metadataKey]: { thoughtSignature: signature } } };
  }
}

/** Whether it is JSON to its end: the last event of a stream that was cut off is not. */
function isWhole(data: string): boolean {
  if (data === "[DONE]") return true;
  try {
    secureJson(data);
    return true;
  } catch {
    return false;
  }
}

/** Whether it begins as JSON that is more than a number does. */
function isJson(data: string): boolean {
  return /^\s*[[{"]/.test(data);
}

/** Returns a line of a text; `undefined` for bytes that are none. */
function asWords(text: string): string | undefined {
  const words = text.slice(0, maxWordsLength).replaceAll(/\s+/g, " ").trim();
  return /[\p{Cc}\uFFFD]/u.test(words) ? undefined : words;
}

function hasMessage(error: unknown): boolean {
  return typeof error === "object" && error !== null && "message" in error && typeof error.message === "string";
}

function hasOutput({ delta, message }: ChatChoice): boolean {
  const { content, refusal, tool_calls: calls, annotations } = delta ?? message ?? {};
  return [content, refusal, calls, annotations].some(
    (said) => (typeof said === "string" || Array.isArray(said)) && said.length > 0,
  );
}

/** Whether a chunk adds text, reasoning or a call to the reply. */
function hasDelta({ delta }: ChatChoice, dialect: ChatDialect): boolean {
  if (delta === undefined || delta === null) return false;
  return saidInDelta(delta, dialect).length > 0 || (delta.tool_calls ?? []).length > 0;
}

/** As OpenAI reports it: it has no other fields. */
function ownUsage(usage: ChatRawUsage): ChatRawUsage {
  const { prompt_cache_hit_tokens: _hit, prompt_cache_miss_tokens: _miss, cost: _cost, ...own } = usage;
  return own;
}

function finishReason(said: string, hasRefusal: boolean): FinishReason {
  switch (said) {
    case "stop":
      return hasRefusal ? "content-filter" : "stop"; // A model that refuses has ended as it should.
    case "length":
      return "length";
    case "content_filter":
      return "content-filter";
    case "function_call":
    case "tool_calls":
      return "tool-calls";
    default:
      return "other";
  }
}
