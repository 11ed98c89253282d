import type {
  MessagePart,
  PartMetadata,
  StepId,
  TurnId,
  Message,
  ModelMessage,
  ToolDefinition,
} from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import type { NewEvent } from "../events/event-log.ts";
import { StepFailure } from "../failures/step-failure.ts";
import { toolNamePattern } from "../store/tool-list.ts";

/** Per reply, in UTF-8 bytes; equals the limit of a request body. */
const maxReplyBytes = 8 * 1_048_576;
/** Minimum size counted per part and call, which bounds their number. */
const minPartBytes = 4_096;

type Said = Exclude<ModelEvent, { type: "finish" | "failure" }>;

interface OpenPart {
  readonly kind: "text" | "reasoning";
  text: string;
}

export const cutCode = "TOOL_CALL_CUT";
const cutCall = { code: cutCode, message: "The model did not finish this call: it was not run" };
const unusedCall = {
  code: cutCode,
  message: "The model's reply was cut off behind this call: it was not run",
};

/**
 * In any order of model events, each shown part has one start, one end and its deltas in between; no delta is empty.
 */
export class Reply {
  readonly #base: { readonly turnId: TurnId; readonly stepId: StepId };
  readonly #model: string;
  readonly #callIds: ToolCallIds;
  readonly #parts: MessagePart[] = [];
  readonly #open = new Map<string, OpenPart>();
  readonly #startedCalls = new Map<string, string>();
  readonly #calls = new Map<string, string>();
  readonly #runs = new Set<string>();
  #sizeBytes = 0;

  constructor(options: {
    readonly turnId: TurnId;
    readonly stepId: StepId;
    readonly model: string;
    readonly callIds: ToolCallIds;
  }) {
    this.#callIds = options.callIds;
    this.#base = { turnId: options.turnId, stepId: options.stepId };
    this.#model = options.model;
  }

  get parts(): readonly MessagePart[] {
    return this.#parts;
  }

  /** @throws {StepFailure} `REPLY_TOO_LARGE`; the reply is unchanged then. */
  take(event: Said): readonly NewEvent[] {
    switch (event.type) {
      case "text-start":
      case "reasoning-start":
        return this.#start(event.partId, event.type === "text-start" ? "text" : "reasoning");
      case "text-delta":
      case "reasoning-delta":
        return this.#delta(event.partId, event.type === "text-delta" ? "text" : "reasoning", event.text);
      case "text-end":
      case "reasoning-end":
        return this.#end(event.partId, event.metadata);
      case "tool-call-start":
        return this.#startCall(this.#callIds.begin(event.toolCallId), this.#callIds.nameOf(event.name));
      case "tool-run":
        return this.#run(event);
      case "tool-call": {
        const { metadata } = event;
        const input = event.input.toWellFormed();
        this.#count(`${input}${sizedMetadata(metadata)}`);
        const toolCallId = this.#callIds.take(event.toolCallId);
        const name = this.#callIds.nameOf(event.name);
        const started = this.#startCall(toolCallId, name);
        this.#calls.set(toolCallId, input);
        const vendor = metadata === undefined ? {} : { metadata };
        this.#parts.push({ type: "tool-call", toolCallId, name, input, ...vendor });
        return started;
      }
    }
  }

  shownCall(call: { readonly toolCallId: string; readonly name: string }): {
    readonly toolCallId: string;
    readonly name: string;
  } {
    const { toolCallId, name } = call;
    return { toolCallId: this.#callIds.begun(toolCallId) ?? toolCallId, name: this.#callIds.nameOf(name) };
  }

  restart(): readonly NewEvent[] {
    const ends = this.close({ hasFailed: true });
    this.#parts.length = 0;
    this.#startedCalls.clear();
    this.#calls.clear();
    this.#callIds.restart();
    this.#sizeBytes = 0;
    return ends;
  }

  close({ hasFailed }: { readonly hasFailed: boolean }): readonly NewEvent[] {
    const ends = [...this.#open.keys()].flatMap((partId) => this.#end(partId));
    const cut = [...this.#startedCalls].flatMap(([toolCallId, name]): readonly NewEvent[] => {
      const input = this.#calls.get(toolCallId);
      if (this.#runs.has(toolCallId)) return [];
      if (input !== undefined && !hasFailed) return [];
      const error = input === undefined ? cutCall : unusedCall;
      return [{ ...this.#base, type: "tool-call-end", toolCallId, name, input: input ?? "", error }];
    });
    return [...ends, ...cut];
  }

  #start(partId: string, kind: OpenPart["kind"]): readonly NewEvent[] {
    const ended = this.#end(partId);
    this.#count("", minPartBytes);
    this.#open.set(partId, { kind, text: "" });
    return [...ended, { ...this.#base, type: `${kind}-start`, partId, text: "" }];
  }

  #delta(partId: string, kind: OpenPart["kind"], text: string): readonly NewEvent[] {
    if (text === "") return [];
    this.#count(text);
    const known = this.#open.get(partId);
    const started = known?.kind === kind ? [] : this.#start(partId, kind);
    const part = this.#open.get(partId);
    if (part !== undefined) part.text += text;
    return [...started, { ...this.#base, type: `${kind}-delta`, partId, text }];
  }

  #end(partId: string, metadata?: PartMetadata): readonly NewEvent[] {
    const part = this.#open.get(partId);
    if (part === undefined) return [];
    this.#count(sizedMetadata(metadata));
    this.#open.delete(partId);
    const { kind } = part;
    const text = part.text.toWellFormed(); // Some vendors reject lone surrogates, in every later request.
    // Vendors require hidden reasoning back as an empty part with metadata.
    if (metadata !== undefined) this.#parts.push({ type: kind, text, metadata });
    else if (text !== "") this.#parts.push({ type: kind, text });
    return [{ ...this.#base, type: `${kind}-end`, partId, text }];
  }

  #run({ toolCallId: given, isError, ...said }: Extract<Said, { type: "tool-run" }>): readonly NewEvent[] {
    const [input, output] = [said.input.toWellFormed(), said.output.toWellFormed()];
    this.#count(`${input}${output}`);
    const toolCallId = this.#callIds.take(given);
    const name = this.#callIds.nameOf(said.name);
    const started = this.#startCall(toolCallId, name);
    this.#runs.add(toolCallId);
    this.#parts.push(
      { type: "tool-call", toolCallId, name, input },
      { type: "tool-result", toolCallId, name, output, isError },
    );
    const outcome = isError ? { error: { code: "TOOL_FAILED", message: output } } : { output };
    return [...started, { ...this.#base, type: "tool-call-end", toolCallId, name, input, ...outcome }];
  }

  #startCall(toolCallId: string, name: string): readonly NewEvent[] {
    if (this.#startedCalls.has(toolCallId)) return [];
    this.#count(`${toolCallId}${name}`, minPartBytes);
    this.#startedCalls.set(toolCallId, name);
    return [{ ...this.#base, type: "tool-call-start", toolCallId, name }];
  }

  #count(text: string, minBytes = 0): void {
    const sizeBytes = this.#sizeBytes + Math.max(minBytes, Buffer.byteLength(text));
    if (sizeBytes > maxReplyBytes) {
      const message = `The reply of "${this.#model}" is larger than ${maxReplyBytes / 1_048_576} MiB: it was cut off there; ask for less at once`;
      throw new StepFailure({ code: "REPLY_TOO_LARGE", message, isRetryable: false });
    }
    this.#sizeBytes = sizeBytes;
  }
}

function sizedMetadata(metadata: PartMetadata | undefined): string {
  return metadata === undefined ? "" : JSON.stringify(metadata);
}

type ToolCall = Extract<MessagePart, { readonly type: "tool-call" }>;

export function unanswered(parts: readonly MessagePart[]): readonly ToolCall[] {
  const answered = new Set(parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])));
  return parts.filter((part) => part.type === "tool-call").filter(({ toolCallId }) => !answered.has(toolCallId));
}

/** Calls that the provider ran appear like host calls: each followed by its result. */
export function messagesOf(
  parts: readonly MessagePart[],
): readonly { readonly role: Exclude<Message["role"], "user">; readonly parts: readonly MessagePart[] }[] {
  const messages: { readonly role: Exclude<Message["role"], "user">; readonly parts: readonly MessagePart[] }[] =
    [];
  let said: MessagePart[] = [];
  let results: MessagePart[] = [];
  const flush = (): void => {
    if (said.length > 0) messages.push({ role: "assistant", parts: said });
    if (results.length > 0) messages.push({ role: "tool", parts: results });
    [said, results] = [[], []];
  };
  for (const part of parts) {
    if (part.type === "tool-result") {
      results.push(part);
      continue;
    }
    if (part.type !== "tool-call" && results.length > 0) flush();
    said.push(part);
  }
  flush();
  return messages;
}

/** Longer than any vendor's id; ids are part of keys and URLs. */
const maxIdLength = 200;
/** Leaves room for a suffix. */
const maxNameLength = 48;

/**
 * Models repeat or omit call ids and invent names, and vendors reject a history with them. Calls with one id are
 * matched in the order in which they begin and complete.
 */
export class ToolCallIds {
  readonly #history: readonly ModelMessage[];
  readonly #tools: readonly ToolDefinition[];
  readonly #begun = new Map<string, string[]>();
  #taken: Set<string> | undefined;
  readonly #lastCount = new Map<string, number>();

  constructor(history: readonly ModelMessage[], tools: readonly ToolDefinition[]) {
    this.#history = history;
    this.#tools = tools;
  }

  begin(given: string): string {
    const id = this.#unused(given);
    this.#begun.set(given, [...(this.#begun.get(given) ?? []), id]);
    return id;
  }

  begun(given: string): string | undefined {
    return this.#begun.get(given)?.[0];
  }

  /** Ids of discarded calls stay reserved. */
  restart(): void {
    this.#begun.clear();
  }

  take(given: string): string {
    return this.#begun.get(given)?.shift() ?? this.#unused(given);
  }

  nameOf(given: string): string {
    if (toolNamePattern.test(given)) return given;
    let name = given.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxNameLength) || "unnamed_tool";
    while (this.#tools.some((tool) => tool.name === name)) name += "_";
    return name;
  }

  #unused(given: string): string {
    this.#taken ??= new Set(this.#history.flatMap(({ parts }) => parts.flatMap(callIdOf)));
    const base = given.slice(0, maxIdLength).toWellFormed() || "call";
    // Continue from the last suffix: a reply may repeat one id very often.
    let count = this.#lastCount.get(base) ?? 1;
    let id = count === 1 ? base : `${base}-${count}`;
    while (this.#taken.has(id)) id = `${base}-${(count += 1)}`;
    this.#lastCount.set(base, count);
    this.#taken.add(id);
    return id;
  }
}

function callIdOf(part: ModelMessage["parts"][number]): readonly string[] {
  return part.type === "tool-call" ? [part.toolCallId] : [];
}
