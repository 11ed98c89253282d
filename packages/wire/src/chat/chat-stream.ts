import type { FinishReason, PartMetadata, VendorResponse } from "@incipit/schema";
import type { ReplyItem, ReplyProblem, ReplyToolCall, ReplyDelta } from "../reply/reply-event.ts";
import { EventData } from "../sse/event-data.ts";
import { secureJson } from "../json/secure-json.ts";
import { hasNestedError, parseVendorError, openaiStreamError } from "../reply/parse-error.ts";
import type {
  ChatChoice,
  ChatChunk,
  ChatChunkDelta,
  ChatRawUsage,
  ToolCallDelta,
  ChunkReader,
  ContentPart,
} from "./chunk-reader.ts";
import { chatUsage } from "./chat-usage.ts";
import type { ChatDialect } from "./chat-request.ts";
import { NamedCalls, ToolCalls, type ToolCall } from "./tool-calls.ts";

interface ChatStreamOptions {
  readonly reader: ChunkReader;
  /** For data that the provider wants back with a part. */
  readonly metadataKey: string;
  /** For a call with a missing or duplicate id. */
  readonly newId: () => string;
  /** For all calls, in UTF-16 units; buffered until the end. */
  readonly maxArgumentsLength: number;
  readonly maxSilentParts: number;
}

/** In UTF-16 units, for text in place of events. */
const maxWordsLength = 2_000;

/** Reasoning from this field must be sent back in it. */
const saidInField: PartMetadata = { incipit: { reasoningField: "reasoning_content" } };

/**
 * Parses one streamed chat completion. Results do not depend on how the bytes are split. Tool calls are emitted
 * complete, at the end; those of a truncated reply are dropped. A problem is the last item.
 */
export class ChatStream {
  readonly #options: ChatStreamOptions;
  readonly #events = new EventData();
  readonly #parts: OpenParts;
  readonly #named = new NamedCalls();
  readonly #calls: ToolCalls;
  #items: ReplyItem[] = [];
  #hasEnded = false;
  #isDone = false;
  #words: string | undefined;
  #reasoning: PartMetadata | undefined;
  #usage: ChatRawUsage | undefined;
  #finish: string | undefined;
  /** The server repeats the finish reason with each chunk, so only the end of the stream ends the reply. */
  #continuesPastFinish = false;
  #response: VendorResponse | undefined;
  #hasRefusal = false;
  #hasContent = false;
  #text = "";
  #hasDeltaText = false;
  #hasReasoning = false;
  #hasOutput = false;
  #argumentsLength = 0;
  #silentParts = 0;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
    const isOpenai = options.reader.dialect === "openai";
    this.#parts = new OpenParts({ text: isOpenai ? "0" : "txt-0", reasoning: "reasoning-0" });
    this.#calls = new ToolCalls(options.newId);
  }

  /** For OpenAI, only an event with output. */
  get hasContent(): boolean {
    return this.#hasContent && (this.#hasOutput || this.#hasEnded || this.#options.reader.dialect === "compatible");
  }

  /** `whole`: the reply is complete, but more may follow, such as usage. `ended`: nothing follows. */
  get progress(): "open" | "whole" | "ended" {
    if (this.#isDone) return "ended";
    if (this.#finish === undefined || this.#continuesPastFinish) return "open";
    // Without output, the finish reason may have come with the role, before the answer.
    return this.#text !== "" || this.#hasReasoning || this.#calls.all().length > 0 ? "whole" : "open";
  }

  /** @throws {RangeError} for JSON nested too deeply. */
  take(bytes: Uint8Array): readonly ReplyItem[] {
    for (const data of this.#events.take(bytes)) if (!this.#hasEnded) this.#event(data);
    return this.#given();
  }

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

  /** A server may answer with a complete reply, an error or text instead of a stream. */
  #inPlaceOfEvents(stray: string): void {
    if (stray === "" || this.#hasContent) return;
    // An HTML page contains no useful message.
    if (stray.startsWith("<")) return;
    if (isWhole(stray)) this.#event(stray);
    else this.#words ??= asWords(stray);
  }

  #finished(): void {
    const hasCalls = this.#calls.all().length > 0;
    // Some servers send no finish reason, only `[DONE]`.
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

  /** An endless sequence of events without output would keep the caller busy invisibly. */
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
    // Verbatim if it has its own message; streams contain strings, lists and objects of other formats, too.
    const error = hasMessage(sent) && !hasNestedError(sent) ? sent : parseVendorError(sent);
    if (this.#options.reader.dialect === "compatible") return { kind: "error", error };
    const known = openaiStreamError(error);
    if (this.#hasOutput) return { kind: "error", error: known ?? error };
    const { statusCode: status = 500, message = parseVendorError(error).message } = known ?? {};
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

  /** The complete message either repeats the deltas or replaces them. */
  #unsaidOf({ content, tool_calls: calls, ...message }: ChatChunkDelta): ChatChunkDelta {
    const text = deltaContent({ content }, this.#options.reader.dialect)
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
    const said = deltaContent(delta, dialect);
    for (const { kind, text } of said) this.#say(kind, text);
    this.#hasDeltaText ||= !isOfMessage && said.some(({ kind }) => kind === "text");
    if (typeof delta.refusal === "string" && delta.refusal !== "") this.#hasRefusal = true;
    if (dialect === "openai") this.#unsaid(delta, said.length);
    this.#callsOf(delta.tool_calls ?? []);
  }

  /** Empty texts of OpenAI, or texts with annotations. */
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
    if (length > 0) this.#silentParts = 0; // Bounded by their total length.
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

/** Unlike the last event of a truncated stream. */
function isWhole(data: string): boolean {
  if (data === "[DONE]") return true;
  try {
    secureJson(data);
    return true;
  } catch {
    return false;
  }
}

function isJson(data: string): boolean {
  return /^\s*[[{"]/.test(data);
}

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

function hasDelta({ delta }: ChatChoice, dialect: ChatDialect): boolean {
  if (delta === undefined || delta === null) return false;
  return deltaContent(delta, dialect).length > 0 || (delta.tool_calls ?? []).length > 0;
}

/** Removes fields that OpenAI does not report. */
function ownUsage(usage: ChatRawUsage): ChatRawUsage {
  const { prompt_cache_hit_tokens: _hit, prompt_cache_miss_tokens: _miss, cost: _cost, ...own } = usage;
  return own;
}

function finishReason(said: string, hasRefusal: boolean): FinishReason {
  switch (said) {
    case "stop":
      return hasRefusal ? "content-filter" : "stop"; // A refusal is a regular end.
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

interface SaidInDelta {
  readonly kind: "text" | "reasoning";
  readonly text: string;
}

/** In order: reasoning, text, then a refusal as text. */
export function deltaContent(delta: ChatChunkDelta, dialect: ChatDialect): readonly SaidInDelta[] {
  const { content, refusal } = delta;
  const refused = typeof refusal === "string" && refusal !== "" ? [{ kind: "text", text: refusal } as const] : [];
  const reasoning = dialect === "openai" ? "" : (delta.reasoning_content ?? delta.reasoning ?? "");
  const thought = reasoning === "" ? [] : [{ kind: "reasoning", text: reasoning } as const];
  if (typeof content !== "string") return [...thought, ...(content ?? []).flatMap(partSaid), ...refused];
  return content === "" ? [...thought, ...refused] : [...thought, { kind: "text", text: content }, ...refused];
}

/** Mistral's format: https://docs.mistral.ai/capabilities/reasoning */
function partSaid({ type, text, thinking }: ContentPart): readonly SaidInDelta[] {
  if (type === "text") return typeof text === "string" && text !== "" ? [{ kind: "text", text }] : [];
  if (type !== "thinking" || !Array.isArray(thinking)) return [];
  const pieces: readonly unknown[] = thinking;
  const thought = pieces.map(textOf).join("");
  return thought === "" ? [] : [{ kind: "reasoning", text: thought }];
}

function textOf(piece: unknown): string {
  if (typeof piece !== "object" || piece === null || !("type" in piece) || !("text" in piece)) return "";
  return piece.type === "text" && typeof piece.text === "string" ? piece.text : "";
}

type Kind = "text" | "reasoning";

/** One part of each kind is open at a time; later ones get new ids. */
class OpenParts {
  readonly #ids: Readonly<Record<Kind, string>>;
  readonly #open = new Map<Kind, string>();
  readonly #counts = new Map<Kind, number>();

  constructor(ids: Readonly<Record<Kind, string>>) {
    this.#ids = ids;
  }

  say(kind: Kind, text: string): readonly ReplyDelta[] {
    const open = this.#open.get(kind);
    const partId = open ?? this.#begin(kind);
    const delta = { type: `${kind}-delta`, partId, text } as const;
    return open === undefined ? [{ type: `${kind}-start`, partId } as const, delta] : [delta];
  }

  end(kind: Kind, metadata?: PartMetadata): readonly ReplyDelta[] {
    const partId = this.#open.get(kind);
    if (partId === undefined) return [];
    this.#open.delete(kind);
    return [{ type: `${kind}-end`, partId, ...(metadata === undefined ? {} : { metadata }) }];
  }

  #begin(kind: Kind): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const partId = count === 1 ? this.#ids[kind] : `${this.#ids[kind]}-${count}`;
    this.#open.set(kind, partId);
    return partId;
  }
}
