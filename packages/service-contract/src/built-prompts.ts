import {
  withDeadline,
  type Clock,
  type JsonValue,
  type Storage,
  type StorageBatch,
  type ValueSchema,
} from "@incipit/kernel";
import {
  isObject,
  conversationSystemPromptResponseSchema,
  explainSchema,
  maxTemplateBytes,
  systemPromptTemplateResponseSchema,
  type ConversationSystemPromptResponse,
  type Explain,
  type PreviewSystemPromptRequest,
  type PreviewSystemPromptResponse,
  type SystemPromptTemplateResponse,
  type SystemPromptVariable,
} from "@incipit/schema";
import type { PromptBuildContext, PromptBuilder } from "./define-prompt-builder.ts";
import { asWellFormed, explainPieces, type ExplainedText } from "./explain-pieces.ts";
import { ServiceError } from "./service-error.ts";
import type { PreparedPrompt, PromptContext, RequestTier, SystemPromptService } from "./system-prompt.ts";

const buildTimeoutMs = 30_000;
const templateKey = "template";

/** Fields of a construction that this builder does not record. */
const notKept = { templateVersion: null, by: null, note: null } as const;
const none: ConversationSystemPromptResponse = {
  systemPrompt: null,
  sha256: null,
  reason: null,
  constructedAt: null,
  ...notKept,
};

interface BuiltPromptsOptions extends PromptBuilder {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Id of the extension that builds the prompt. */
  readonly extension: string;
}

type BuildRequest = Partial<PromptBuildContext> & { readonly cwd: string };

/**
 * Implements `system-prompt@1` on a build function: builds the prompt once per conversation, stores it, and returns
 * it byte for byte.
 */
export class BuiltPrompts implements SystemPromptService {
  readonly #options: BuiltPromptsOptions;
  readonly #constructions = new Map<string, Promise<string>>();

  constructor(options: BuiltPromptsOptions) {
    this.#options = options;
  }

  /** No check: a custom builder is responsible for the folder files that it reads. */
  async assertTrusted(): Promise<void> {}

  async construct(conversationId: string, cwd: string, context: PromptContext = {}): Promise<string> {
    context.signal?.throwIfAborted();
    const running = this.#constructions.get(conversationId);
    if (running !== undefined) return running;
    const { signal: _, ...rest } = context; // Callers share one construction, so one caller's abort must not cancel it.
    const construction = this.#construct(conversationId, cwd, rest).finally(() =>
      this.#constructions.delete(conversationId),
    );
    this.#constructions.set(conversationId, construction);
    return construction;
  }

  async prepare(conversationId: string, cwd: string, context: PromptContext = {}): Promise<PreparedPrompt> {
    const { text, explain } = await this.#build({ ...context, conversationId, cwd });
    const described: ConversationSystemPromptResponse = {
      systemPrompt: text,
      sha256: explain.sha256,
      reason: context.reason ?? "first-turn",
      constructedAt: new Date(this.#options.clock.now()).toISOString(),
      ...notKept,
    };
    context.signal?.throwIfAborted();
    return {
      text,
      sha256: explain.sha256,
      sizeBytes: explain.sizeBytes,
      batch: this.#keep(conversationId, described, explain),
    };
  }

  async get(conversationId: string): Promise<string | null> {
    return (await this.describe(conversationId)).systemPrompt;
  }

  async describe(conversationId: string): Promise<ConversationSystemPromptResponse> {
    const { storage } = this.#options;
    return (await storage.get(promptKey(conversationId), conversationSystemPromptResponseSchema)) ?? none;
  }

  async explain(conversationId: string): Promise<Explain | null> {
    return (await this.#options.storage.get(explainKey(conversationId), explainSchema)) ?? null;
  }

  async exportPrompt(conversationId: string): Promise<JsonValue | null> {
    const explain = await this.explain(conversationId);
    return explain === null ? null : { prompt: await this.describe(conversationId), explain };
  }

  async importPrompt(conversationId: string, exported: JsonValue): Promise<StorageBatch> {
    const { prompt, explain } = isObject(exported) ? exported : {};
    const [kept, how] = await Promise.all([
      checked(conversationSystemPromptResponseSchema, prompt),
      checked(explainSchema, explain),
    ]);
    if (kept === undefined || how === undefined)
      throw new ServiceError("INVALID_REQUEST", `"${this.#options.extension}" did not export this prompt`);
    return this.#keep(conversationId, kept, { ...how, isImported: true });
  }

  async copyPrompt(fromConversationId: string, { to }: { readonly to: string }): Promise<StorageBatch | null> {
    const explain = await this.explain(fromConversationId);
    return explain === null ? null : this.#keep(to, await this.describe(fromConversationId), explain);
  }

  async forget(conversationId: string): Promise<void> {
    const keys = [promptKey(conversationId), explainKey(conversationId)];
    await this.#options.storage.atomic(
      [],
      keys.map((key) => ({ kind: "delete", key })),
    );
  }

  async preview(
    { template, system = [], systemMode: mode = "replace", ...request }: PreviewSystemPromptRequest,
    { defaultCwd, defaultModel, signal }: Parameters<SystemPromptService["preview"]>[1],
  ): Promise<PreviewSystemPromptResponse> {
    signal?.throwIfAborted();
    const tier = { system: typeof system === "string" ? [system] : system, mode };
    const { cwd = defaultCwd, model = defaultModel, profile } = request;
    const context = {
      cwd,
      model,
      profile,
      template,
      ...(signal === undefined ? {} : { signal }),
    };
    const { systemTexts, explain } = await this.#call(tier, context);
    return { systemPrompt: systemTexts.join("\n\n"), systemTexts: [...systemTexts], explain };
  }

  async resolveCall(
    cwd: string,
    tier: RequestTier = { system: [], mode: "append" },
    context: PromptContext = {},
  ): Promise<{ readonly systemTexts: readonly string[]; readonly explain: Explain }> {
    return this.#call(tier, { ...context, cwd });
  }

  async applyRequestTier(
    conversationId: string,
    cwd: string,
    tier: RequestTier,
    context: PromptContext = {},
  ): Promise<readonly string[]> {
    const kept = await this.get(conversationId);
    return placeTexts(tier, kept ?? (await this.#build({ ...context, conversationId, cwd })).text);
  }

  async getTemplate(): Promise<SystemPromptTemplateResponse> {
    const stored = await this.#options.storage.get(templateKey, systemPromptTemplateResponseSchema);
    return stored ?? { template: "", source: "default" };
  }

  async setTemplate(template: string): Promise<void> {
    assertSize(template, "store the text");
    await this.#options.storage.set(templateKey, { template: asWellFormed(template), source: "stored" });
  }

  async deleteTemplate(): Promise<void> {
    await this.#options.storage.delete(templateKey);
  }

  async getVariables(): Promise<readonly SystemPromptVariable[]> {
    return [];
  }

  async #construct(conversationId: string, cwd: string, context: PromptContext): Promise<string> {
    const { text, batch } = await this.prepare(conversationId, cwd, context);
    await this.#options.storage.atomic([], [], { join: [batch] });
    return text;
  }

  #keep(conversationId: string, described: ConversationSystemPromptResponse, explain: Explain): StorageBatch {
    return this.#options.storage.batch(
      [],
      [
        { kind: "set", key: promptKey(conversationId), value: described },
        { kind: "set", key: explainKey(conversationId), value: explain },
      ],
    );
  }

  /** Resolves the system messages of a call without a conversation. */
  async #call(
    tier: RequestTier,
    context: BuildRequest,
  ): Promise<{ readonly systemTexts: readonly string[]; readonly explain: Explain }> {
    const built = await this.#build(context);
    const systemTexts = placeTexts(tier, built.text);
    if (systemTexts.length === 1 && systemTexts[0] === built.text) return { systemTexts, explain: built.explain };
    const { extension } = this.#options;
    const { explain } = await explainPieces([systemTexts.join("\n\n")], { extension, model: context.model });
    return { systemTexts, explain };
  }

  async #build(given: BuildRequest): Promise<ExplainedText> {
    const { build, clock, extension } = this.#options;
    const stored = await this.getTemplate();
    const { cwd, conversationId, model, profile, reason } = given;
    const template = given.template ?? (stored.source === "stored" ? stored.template : undefined);
    const ended = new AbortController();
    const signal = given.signal === undefined ? ended.signal : AbortSignal.any([given.signal, ended.signal]);
    try {
      const built = await withDeadline(
        async () => build({ conversationId, cwd, model, profile, reason, template, signal }),
        { timeoutMs: buildTimeoutMs, clock },
      );
      const explained = await explainPieces(typeof built === "string" ? [built] : built, { extension, model });
      assertSize(explained.text, "use the prompt");
      return explained;
    } finally {
      ended.abort();
    }
  }
}

function promptKey(conversationId: string): string {
  return `prompt:${conversationId}`;
}

function explainKey(conversationId: string): string {
  return `explain:${conversationId}`;
}

/** @throws {ServiceError} `TEMPLATE_TOO_LARGE` over 1 MiB of UTF-8. */
function assertSize(text: string, what: string): void {
  const sizeBytes = new TextEncoder().encode(text).length;
  if (sizeBytes <= maxTemplateBytes) return;
  const message = `Cannot ${what}: it has ${sizeBytes} bytes of at most ${maxTemplateBytes}; shorten it`;
  throw new ServiceError("TEMPLATE_TOO_LARGE", message, { details: { sizeBytes, maxTemplateBytes } });
}

/**
 * Returns the call's system messages in place of the prompt, or after it, without those that the prompt already
 * contains.
 */
function placeTexts({ system, mode }: RequestTier, prompt: string): readonly string[] {
  const texts = system.filter((text) => text.trim() !== "").map(asWellFormed);
  if (mode === "replace" && system.length > 0) return texts;
  const lines = new Set(prompt.split("\n"));
  return [prompt, ...texts.filter((text) => text !== prompt && !lines.has(text))].filter((text) => text !== "");
}

/** Returns the validated value, or `undefined` if it is invalid. */
async function checked<Value>(schema: ValueSchema<Value>, value: unknown): Promise<Value | undefined> {
  const result = await schema["~standard"].validate(value);
  return result.issues === undefined ? result.value : undefined;
}
