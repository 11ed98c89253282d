import { sha256Hex } from "@incipit/common";
import { errorMessage, type JsonValue, type Storage, type StorageWrite, type WireRequest } from "@incipit/kernel";
import {
  lazySchema,
  modelCallExplainResponseSchema,
  modelCallSchema,
  type CallId,
  type ModelCall,
  type ModelCallPrompt,
  type PageQuery,
  type StepRequest,
  messageSchema,
  type MessagePart,
  type ModelMessage,
} from "@incipit/schema";
import { ServiceError, type ModelCallRequest, type Page } from "@incipit/service-contract";
import type { CallTarget } from "../call/call-target.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { fetchPrices } from "../models/find-model.ts";
import { hostStops } from "../waits/settle.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { ageWrite } from "../records/wire-records.ts";
import { storedEntries } from "../store/read-page.ts";
import { recordRequest, readRequest, redactDeep } from "../records/wire-records.ts";
import { callKeys, callsOwner } from "../store/stored.ts";
import { assertMaySpendToday, dayLedgerWrites } from "../spending/spend-limits.ts";
import type { Redactor } from "@incipit/redaction";
import * as z from "zod";

const recordedSettingsSchema = lazySchema(() => z.record(z.string(), z.json()));
const markSchema = lazySchema(() => z.object({}));

type RecordsContext = Pick<OrchestratorContext, "storage" | "log" | "clock" | "redactor" | "settings">;

type RecordedRequest = Pick<ModelCallRequest, "messages" | "settings">;

export class CallRecords {
  readonly #context: RecordsContext;

  constructor(context: RecordsContext) {
    this.#context = context;
  }

  get #storage(): Storage {
    return this.#context.storage;
  }

  /** Before the first request, so that the call can be found while running. */
  async begin(call: ModelCall, kept: JsonValue): Promise<void> {
    if (!this.#context.settings.records.requests) {
      const message = "Nothing is kept of a call while [records] requests is false: call without keeping";
      throw new ServiceError("INVALID_REQUEST", message);
    }
    await this.#commit(
      [
        ...this.#recordWrites(call, undefined),
        { kind: "set", key: callKeys.active(call.id), value: {} },
        { kind: "set", key: callKeys.kept(call.id), value: kept },
        ageWrite(callsOwner, call.id, ""),
      ],
      { survives: "machine", begun: undefined },
    );
  }

  /** Before a request is sent; `prompt` with the first one. Does not wait for the disk, like a step. */
  async leave(
    call: ModelCall,
    sent: {
      readonly wire: WireRequest;
      readonly told: RecordedRequest;
      readonly prompt: ModelCallPrompt | undefined;
    },
  ): Promise<void> {
    const { wire, told, prompt } = sent;
    const begin: readonly StorageWrite[] = [{ kind: "set", key: callKeys.active(call.id), value: {} }];
    await this.#commit(
      [
        ...this.#recordWrites(call, prompt),
        ...(prompt === undefined ? [] : begin),
        ...this.#requestWrites(call.id, wire, told),
      ],
      { survives: "process", begun: prompt === undefined ? call.id : undefined },
    );
  }

  async end(
    call: ModelCall,
    {
      prompt,
      reply,
    }: { readonly prompt?: ModelCallPrompt | undefined; readonly reply?: StoredReply | undefined } = {},
  ): Promise<void> {
    const age = prompt === undefined ? [] : [ageWrite(callsOwner, call.id, "")];
    await this.#commit(
      [
        ...this.#recordWrites(call, prompt),
        ...age,
        { kind: "delete", key: callKeys.active(call.id) },
        ...(call.attempts === 0 ? [] : dayLedgerWrites(call)),
        ...this.#replyWrites(call.id, reply),
      ],
      { survives: "machine", begun: prompt === undefined ? call.id : undefined },
    );
  }

  async get(id: string): Promise<ModelCall> {
    const call = await withServiceErrors(() => this.#storage.get(callKeys.call(id), modelCallSchema));
    if (call === undefined) throw unknown(`No call has the id "${id}"`);
    return call;
  }

  /** Ignored when requests are not recorded, because the value contains request data. */
  async keep(id: string, value: JsonValue): Promise<void> {
    if (!this.#context.settings.records.requests) return;
    await this.get(id);
    await withServiceErrors(() => this.#storage.set(callKeys.kept(id), value));
  }

  kept(id: string): Promise<JsonValue | undefined> {
    return withServiceErrors(() => this.#storage.get(callKeys.kept(id), z.json()));
  }

  forget(id: string): Promise<void> {
    return withServiceErrors(() => this.#storage.delete(callKeys.kept(id)));
  }

  async request(id: string): Promise<StepRequest> {
    const { requestSha256 } = await this.get(id);
    if (requestSha256 === null) throw unknown(`No request of call "${id}" left the host`);
    try {
      return await withServiceErrors(() => readRequest(this.#storage, callsOwner, id));
    } catch (error) {
      if (!ServiceError.is(error) || error.code !== "STEP_UNKNOWN") throw error;
      throw unknown(`The request of call "${id}" was not recorded: [records] requests was false`);
    }
  }

  async explain(id: string): Promise<ModelCallPrompt> {
    await this.get(id);
    const prompt = await withServiceErrors(() =>
      this.#storage.get(callKeys.prompt(id), modelCallExplainResponseSchema),
    );
    if (prompt === undefined) throw unknown(`The request of call "${id}" is not stored`);
    return prompt;
  }

  async list({ cursor, limit }: PageQuery): Promise<Page<ModelCall>> {
    const damaged: string[] = [];
    const onInvalid = (key: string, error: Error): void => {
      damaged.push(key);
      this.#context.log.error("Skipped a damaged record", { key, error: error.message });
    };
    const range = { start: callKeys.calls, end: callKeys.call(cursor ?? "~"), reverse: true, limit, onInvalid };
    const entries = await withServiceErrors(() => this.#storage.list(range, modelCallSchema));
    const items = entries.map(({ value }) => value);
    const [oldest] = [...entries.map(({ key }) => key), ...damaged].toSorted(); // Ids are ASCII.
    return oldest === undefined || entries.length + damaged.length < limit
      ? { items }
      : { items, nextCursor: oldest.slice(callKeys.calls.length) };
  }

  /** Only at the host's start: a previous generation ends its own calls. */
  async recover(): Promise<void> {
    for await (const { key } of storedEntries(this.#context, callKeys.allActive, markSchema)) {
      const id = key.slice(callKeys.allActive.length);
      const call = await this.#storage.get(callKeys.call(id), modelCallSchema).catch(() => undefined);
      if (call?.status === "running") await this.end({ ...call, status: "interrupted", endedAt: this.#now() });
      else await this.#storage.delete(key);
    }
  }

  #recordWrites(call: ModelCall, prompt: ModelCallPrompt | undefined): readonly StorageWrite[] {
    const record: StorageWrite = { kind: "set", key: callKeys.call(call.id), value: call };
    if (prompt === undefined || !this.#context.settings.records.requests) return [record];
    return [
      record,
      { kind: "set", key: callKeys.prompt(call.id), value: redactPrompt(this.#context.redactor, prompt) },
    ];
  }

  #requestWrites(
    id: CallId,
    wire: WireRequest,
    { messages, settings = {} }: RecordedRequest,
  ): readonly StorageWrite[] {
    if (!this.#context.settings.records.requests) return [ageWrite(callsOwner, id, "")];
    const told = {
      messageCount: messages.length,
      toolsSha256: null,
      settings: recordedSettingsSchema.parse(settings),
    };
    const request = { conversationId: callsOwner, stepId: id, wire, told };
    return recordRequest(this.#context.redactor, request, undefined).writes;
  }

  /** Not redacted, like messages of a conversation, because it is sent again. */
  #replyWrites(id: CallId, reply: StoredReply | undefined): readonly StorageWrite[] {
    if (reply === undefined || !this.#context.settings.records.requests) return [];
    return [{ kind: "set", key: callKeys.reply(id), value: z.json().parse(reply) }];
  }

  /** Skips a call deleted in the meantime with the conversation that it replays. */
  async #commit(
    writes: readonly StorageWrite[],
    { survives, begun }: { readonly survives: "process" | "machine"; readonly begun: string | undefined },
  ): Promise<void> {
    await withServiceErrors(async () => {
      if (begun === undefined) return this.#storage.atomic([], writes, { survives });
      const key = callKeys.active(begun);
      const mark = await this.#storage.getVersioned(key, markSchema);
      return mark && this.#storage.atomic([{ key, version: mark.version }], writes, { survives });
    });
  }

  #now(): string {
    return new Date(this.#context.clock.now()).toISOString();
  }
}

export interface RecordedCallOptions {
  readonly id: CallId;
  readonly target: CallTarget;
  readonly prompt: ModelCallPrompt;
  readonly records: CallRecords;
  /** The abort reason distinguishes host stop and cancellation. */
  readonly signal: AbortSignal;
  /** Once, while the end is being stored. */
  readonly onEnd: (call: ModelCall) => void;
}

/** The record of one call, from before its first request to its end. */
export class RecordedCall {
  readonly #context: RecordsContext;
  readonly #options: RecordedCallOptions;
  #call: ModelCall;
  #isPromptStored = false;
  #ending: Promise<void> | undefined;

  constructor(context: RecordsContext, options: RecordedCallOptions) {
    const { id, target, prompt } = options;
    const system = prompt.systemTexts.join("\n\n");
    this.#context = context;
    this.#options = options;
    this.#call = {
      id,
      status: "running",
      model: target.model,
      profile: target.profile,
      cwd: target.cwd,
      startedAt: this.#now(),
      endedAt: null,
      attempts: 0,
      requestSha256: null,
      requestSizeBytes: null,
      systemSha256: system === "" ? null : sha256Hex(system),
      usage: null,
      prices: null,
      responseId: null,
      responseModel: null,
      finishReason: null,
      error: null,
    };
    void this.#learnPrices();
  }

  get call(): ModelCall {
    return this.#call;
  }

  get hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  begin(kept: JsonValue): Promise<void> {
    return this.#options.records.begin(this.#call, kept);
  }

  /** A request that cannot be stored is not sent. */
  async leaving(wire: WireRequest, told: RecordedRequest): Promise<void> {
    const { records, signal } = this.#options;
    if (this.#call.attempts > 0) await assertMaySpendToday(this.#context);
    signal.throwIfAborted();
    const requestSizeBytes = Buffer.byteLength(wire.body);
    const attempts = this.#call.attempts + 1;
    this.#call = { ...this.#call, attempts, requestSha256: wire.sha256, requestSizeBytes };
    await records.leave(this.#call, { wire, told, prompt: this.#promptToStore });
    this.#isPromptStored = true;
  }

  /** Records the outcome of a call; later outcomes are ignored. */
  end(outcome: Pick<ModelCall, "status"> & Partial<ModelCall>, reply?: StoredReply): Promise<void> {
    if (this.#ending !== undefined) return this.#ending;
    this.#call = { ...this.#call, ...outcome, endedAt: this.#now() };
    const stored = this.#options.records.end(this.#call, { prompt: this.#promptToStore, reply });
    stored.catch((error: unknown) =>
      this.#context.log.error("The end of a model call could not be stored", {
        callId: this.#call.id,
        error: errorMessage(error),
      }),
    );
    this.#options.onEnd(this.#call);
    return (this.#ending = stored);
  }

  /** Status of an early end. */
  get cutOffStatus(): "interrupted" | "cancelled" {
    return this.#options.signal.reason === hostStops ? "interrupted" : "cancelled";
  }

  get #promptToStore(): ModelCallPrompt | undefined {
    return this.#isPromptStored ? undefined : this.#options.prompt;
  }

  /** The call does not wait for prices; they are `null` if they arrive late. */
  async #learnPrices(): Promise<void> {
    const prices = await fetchPrices(this.#context, this.#options.target.found);
    if (!this.hasEnded) this.#call = { ...this.#call, prices };
  }

  #now(): string {
    return new Date(this.#context.clock.now()).toISOString();
  }
}

function unknown(message: string): ServiceError {
  return new ServiceError("CALL_UNKNOWN", message, { next: { action: "list-calls" } });
}

function redactPrompt(redactor: Redactor, prompt: ModelCallPrompt): JsonValue {
  const counts = new Map<string, number>();
  const kept = redactDeep(redactor, z.json().parse(prompt), counts);
  return { ...z.record(z.string(), z.json()).parse(kept), isRedacted: prompt.isRedacted || counts.size > 0 };
}

const storedReplySchema = lazySchema(() =>
  z.object({
    model: z.string(),
    parts: messageSchema.shape.parts,
  }),
);
type StoredReply = z.infer<typeof storedReplySchema>;

/** 34 or more characters; OpenAI accepts up to 40. */
const idPattern = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_\d{1,5}$/;

export function idInReply(callId: CallId, index: number): string {
  return `${callId.replaceAll("-", "")}_${index}`;
}

/** Client protocols cannot carry metadata that the vendor requires back with tool calls. */
export function isWantedBack(parts: readonly MessagePart[]): boolean {
  return parts.some(({ type }) => type === "tool-call") && parts.some((part) => "metadata" in part);
}

/** Restores vendor metadata. Replies that were edited or are no longer stored stay unchanged. */
export async function withStoredReplies(
  storage: Storage,
  messages: readonly ModelMessage[],
): Promise<readonly ModelMessage[]> {
  return Promise.all(messages.map((message) => withStoredReply(storage, message)));
}

async function withStoredReply(storage: Storage, message: ModelMessage): Promise<ModelMessage> {
  const callId = message.role === "assistant" ? callIdOf(message.parts) : undefined;
  if (callId === undefined) return message;
  const kept = await storage.get(callKeys.reply(callId), storedReplySchema).catch(() => undefined);
  if (kept === undefined || said(kept.parts) !== said(message.parts)) return message;
  return { role: "assistant", parts: kept.parts, model: kept.model };
}

function callIdOf(parts: readonly MessagePart[]): string | undefined {
  for (const part of parts) {
    const [, ...groups] = part.type === "tool-call" ? (idPattern.exec(part.toolCallId) ?? []) : [];
    if (groups.length > 0) return groups.join("-");
  }
  return undefined;
}

function said(parts: readonly MessagePart[]): string {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) =>
    part.type === "tool-call" ? [[part.toolCallId, part.name, part.input]] : [],
  );
  return JSON.stringify([text, calls]);
}
