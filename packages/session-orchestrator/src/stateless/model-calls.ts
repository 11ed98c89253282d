import { sha256Hex } from "@incipit/common";
import { LinkedSignal } from "@incipit/kernel";
import {
  describeFile,
  type ModelCallPrompt,
  type MessagePart,
  type ModelMessage,
  type RequestPart,
  callIdSchema,
} from "@incipit/schema";
import {
  ServiceError,
  type EmbeddingCall,
  type EmbeddingCallRequest,
  type ModelCallEvent,
  type ModelCallOptions,
  type ModelCallRequest,
  type ModelCallsService,
} from "@incipit/service-contract";
import { callTarget, type CallTarget } from "../call/call-target.ts";
import { callPromptBuilder } from "../prompt/prompt-for-turn.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { hostStops, settle } from "../waits/settle.ts";
import { acceptsFile } from "../call/model-messages.ts";
import { unsendable } from "../files/sendable-files.ts";
import { OrderedIds } from "../store/ids.ts";
import { CallRecords, withStoredReplies } from "./call-records.ts";
import { CallRun } from "./call-run.ts";
import { EmbeddingRun } from "./embedding-run.ts";
import { requestParts } from "./request-parts.ts";

const stopTimeoutMs = 2_500;

/** Makes calls, and answers for their records. */
export class ModelCalls extends CallRecords implements ModelCallsService {
  readonly #context: OrchestratorContext;
  readonly #ids: OrderedIds;
  readonly #running = new Set<CallRun | EmbeddingRun>();
  readonly #stopping = new AbortController();

  constructor(context: OrchestratorContext) {
    super(context);
    this.#context = context;
    this.#ids = new OrderedIds(context.clock);
  }

  async stopAll(): Promise<void> {
    this.#stopping.abort(hostStops);
    const ended = Promise.allSettled([...this.#running].map((run) => run.cutOff()));
    await settle(ended, { timeoutMs: stopTimeoutMs, clock: this.#context.clock });
  }

  async *call(
    request: ModelCallRequest,
    { signal: wanted, keepFromStart }: ModelCallOptions,
  ): AsyncGenerator<ModelCallEvent> {
    using linked = new LinkedSignal(wanted, this.#stopping.signal);
    const { signal } = linked;
    const target = await this.#target(request, signal);
    const sendable = { ...request, messages: await this.#sendable(request.messages) };
    assertFiles(target, sendable);
    assertFields(target, sendable);
    const prompt = await this.#prompt(target, sendable, signal);
    yield* this.#run({ target, request: sendable, prompt, signal, keepFromStart });
  }

  /**
   * An unsendable file in an earlier message becomes a description, because the client may be unable to remove it.
   *
   * @throws {ServiceError} `INVALID_REQUEST` with the name of the file.
   */
  async #sendable(messages: readonly ModelMessage[]): Promise<readonly ModelMessage[]> {
    const isFile = ({ role, parts }: ModelMessage): boolean =>
      role === "user" && parts.some(({ type }) => type === "file");
    if (!messages.some(isFile)) return messages;
    const answered = messages.findLastIndex(({ role }) => role === "assistant");
    const made: ModelMessage[] = [];
    for (const [index, message] of messages.entries()) {
      if (!isFile(message)) {
        made.push(message);
        continue;
      }
      const parts: MessagePart[] = [];
      for (const part of message.parts) {
        const sendable = part.type === "file" ? await this.#context.files.of(part) : undefined;
        if (sendable?.kind === "refused" && index > answered) throw unsendable(part, sendable.why, '"messages"');
        if (sendable?.kind === "refused" && part.type === "file")
          parts.push({ type: "text", text: `[${describeFile(part)}; left out: ${sendable.why}]` });
        else parts.push(sendable?.kind === "part" ? sendable.part : part);
      }
      made.push({ ...message, parts });
    }
    return made;
  }

  async embed(
    request: EmbeddingCallRequest,
    { signal: wanted }: { readonly signal: AbortSignal },
  ): Promise<EmbeddingCall> {
    using linked = new LinkedSignal(wanted, this.#stopping.signal);
    const { signal } = linked;
    const target = await this.#target({ model: request.model }, signal);
    const id = this.#ids.next(callIdSchema);
    const run = new EmbeddingRun(this.#context, { id, target, request, records: this, signal });
    this.#running.add(run);
    try {
      return await run.call();
    } finally {
      this.#running.delete(run);
    }
  }

  async #target(
    request: Pick<ModelCallRequest, "cwd" | "model" | "profile">,
    signal: AbortSignal,
  ): Promise<CallTarget> {
    await this.#context.start.wait(signal); // The provider may load during the host's start.
    if (this.#stopping.signal.aborted)
      throw new ServiceError("SERVICE_UNAVAILABLE", "The host is stopping; call it again once it has started");
    signal.throwIfAborted();
    return callTarget(this.#context, request);
  }

  /** With exactly these system messages; unsupported files become descriptions. */
  async *callAsRecorded(
    {
      model,
      found,
      systemTexts,
    }: Pick<CallTarget, "model" | "found"> & { readonly systemTexts: readonly string[] },
    request: Omit<ModelCallRequest, "system" | "systemMode" | "model" | "profile">,
    { signal: wanted }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelCallEvent> {
    using linked = new LinkedSignal(wanted, this.#stopping.signal);
    const { signal } = linked;
    signal.throwIfAborted();
    const target = {
      model,
      found,
      profile: null,
      agent: undefined,
      cwd: request.cwd ?? this.#context.defaults.cwd,
    };
    const prompt = { systemTexts: [...systemTexts], explain: null, isRedacted: false };
    yield* this.#run({ target, request, prompt, signal });
  }

  async *#run({
    target,
    request,
    prompt,
    signal,
    keepFromStart,
  }: {
    readonly target: CallTarget;
    readonly request: ModelCallRequest;
    readonly prompt: ModelCallPrompt;
    readonly signal: AbortSignal;
    readonly keepFromStart?: ModelCallOptions["keepFromStart"];
  }): AsyncGenerator<ModelCallEvent> {
    const id = this.#ids.next(callIdSchema);
    const conversationId = cacheId(request, prompt.systemTexts);
    const { keepsReply, messages: given } = request;
    const whole = keepsReply === true ? await withStoredReplies(this.#context.storage, given) : given;
    const settings = { ...target.agent?.settings, ...request.settings };
    const said = { ...request, settings, messages: whole.map((message) => saidBy(target.model, message)) };
    const run = new CallRun(this.#context, {
      id,
      target,
      request: said,
      prompt,
      conversationId,
      records: this,
      signal,
    });
    this.#running.add(run);
    try {
      if (keepFromStart !== undefined) await run.begin(keepFromStart);
      yield* run.events();
    } finally {
      this.#running.delete(run);
    }
  }

  async parts(id: string): Promise<readonly RequestPart[]> {
    const { body } = await this.request(id);
    return requestParts(body);
  }

  async #prompt(
    { cwd, model, profile }: CallTarget,
    { system, systemMode = "replace" }: ModelCallRequest,
    signal: AbortSignal,
  ): Promise<ModelCallPrompt> {
    const tier = system === undefined ? undefined : { system, mode: systemMode };
    const context = { model, signal, ...(profile === null ? {} : { profile }) };
    const resolved = await callPromptBuilder(
      this.#context.systemPrompt,
      (builder) => builder.resolveCall(cwd, tier, context),
      signal,
    );
    const { systemTexts, explain } = resolved ?? { systemTexts: (system ?? []).filter(hasText), explain: null };
    return { systemTexts: [...systemTexts], explain, isRedacted: false };
  }
}

function hasText(text: string): boolean {
  return text.trim() !== "";
}

/** Unattributed replies count as the requested model's, so that their reasoning is kept. */
function saidBy(model: string, message: ModelMessage): ModelMessage {
  return message.role === "assistant" && message.model === undefined ? { ...message, model } : message;
}

/** Rejects unsupported files instead of omitting them silently. */
function assertFiles({ found, model }: CallTarget, { messages }: ModelCallRequest): void {
  for (const [index, { parts }] of messages.entries()) {
    const refused = parts.find((part) => part.type === "file" && !acceptsFile(found, part.mediaType));
    if (refused?.type !== "file") continue;
    const message = `Cannot send [${describeFile(refused)}] of message ${index}: "${model}" does not take ${refused.mediaType}; choose another model, or send it as text`;
    throw new ServiceError("INVALID_REQUEST", message, { details: [{ field: '"messages"', message }] });
  }
}

function assertFields({ found: { provider, name }, model }: CallTarget, { settings }: ModelCallRequest): void {
  const refused = Object.keys(settings?.vendorFields ?? {}).filter(
    (field) => provider.takesField?.({ model: name, field }) !== true,
  );
  if (refused.length === 0) return;
  const named = refused.map((field) => `"${field}"`).join(", ");
  const message = `Cannot send ${named} to "${model}": its API has no such field; omit it, or choose a model of a provider whose API has it`;
  throw new ServiceError("INVALID_REQUEST", message, {
    details: refused.map((field) => ({ field: `"${field}"`, message: `"${model}" has no such field` })),
  });
}

/** Stable: from the client's key, or the start of the conversation. A hash, which reveals no content. */
function cacheId({ cacheKey, messages }: ModelCallRequest, systemTexts: readonly string[]): string {
  const named = cacheKey === undefined ? [systemTexts, messages[0]] : [cacheKey];
  return `call-${sha256Hex(JSON.stringify(named)).slice(0, 32)}`;
}
