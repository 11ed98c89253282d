import type { Clock, JsonValue, Storage, StorageBatch } from "@incipit/kernel";
import {
  maxTemplateBytes,
  type ConversationSystemPromptResponse,
  type Explain,
  type PreviewSystemPromptRequest,
  type PreviewSystemPromptResponse,
  type SystemPromptTemplateResponse,
  type SystemPromptVariable,
} from "@incipit/schema";
import {
  ServiceError,
  type PreparedPrompt,
  type PromptContext,
  type RequestTier,
  type SystemPromptService,
} from "@incipit/service-contract";
import * as z from "zod";
import { explainPlain } from "./explain-plain.ts";
import { keptPromptSchema, type KeptPrompt } from "./kept-prompt.ts";

const templateKey = "template";
const templateSchema = z.string();
const defaultText = "You are a helpful assistant.";

/** Metadata that this builder does not store. */
const notKept = { templateVersion: null, by: null, note: null } as const;

/**
 * A prompt builder without a template language: the prompt is the stored text, unchanged. `[system:time]` is
 * thirteen literal characters; there are no variables, agents or segments.
 */
export class PlainPrompt implements SystemPromptService {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #constructions = new Map<string, Promise<string>>();

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Its prompts include nothing from a working folder. */
  async assertTrusted(): Promise<void> {}

  async construct(conversationId: string, cwd: string, context: PromptContext = {}): Promise<string> {
    context.signal?.throwIfAborted();
    const running = this.#constructions.get(conversationId);
    if (running !== undefined) return running;
    const { signal: _, ...rest } = context; // One aborted caller must not affect others.
    const construction = this.#construct(conversationId, cwd, rest).finally(() =>
      this.#constructions.delete(conversationId),
    );
    this.#constructions.set(conversationId, construction);
    return construction;
  }

  async prepare(conversationId: string, _cwd: string, context: PromptContext = {}): Promise<PreparedPrompt> {
    const current = await this.getTemplate();
    const explain = await explainPlain(current);
    const text = current.template;
    const constructedAt = new Date(this.#clock.now()).toISOString();
    const kept: KeptPrompt = { text, reason: context.reason ?? "first-turn", constructedAt, explain };
    const value = z.json().parse(kept);
    const batch = this.#storage.batch([], [{ kind: "set", key: promptKey(conversationId), value }]);
    context.signal?.throwIfAborted();
    return { text, sha256: explain.sha256, sizeBytes: explain.sizeBytes, batch };
  }

  async get(conversationId: string): Promise<string | null> {
    return (await this.#kept(conversationId))?.text ?? null;
  }

  async describe(conversationId: string): Promise<ConversationSystemPromptResponse> {
    const kept = await this.#kept(conversationId);
    if (kept === undefined)
      return { systemPrompt: null, sha256: null, reason: null, constructedAt: null, ...notKept };
    const { text, reason, constructedAt, explain } = kept;
    return { systemPrompt: text, sha256: explain.sha256, reason, constructedAt, ...notKept };
  }

  async explain(conversationId: string): Promise<Explain | null> {
    return (await this.#kept(conversationId))?.explain ?? null;
  }

  async exportPrompt(conversationId: string): Promise<JsonValue | null> {
    const kept = await this.#kept(conversationId);
    return kept === undefined ? null : z.json().parse(kept);
  }

  async importPrompt(conversationId: string, exported: JsonValue): Promise<StorageBatch> {
    const kept = keptPromptSchema.safeParse(exported);
    if (!kept.success) throw new ServiceError("INVALID_REQUEST", "It is no text that this extension has exported");
    const value = z.json().parse(kept.data);
    return this.#storage.batch([], [{ kind: "set", key: promptKey(conversationId), value }]);
  }

  async copyPrompt(fromConversationId: string, { to }: { readonly to: string }): Promise<StorageBatch | null> {
    const exported = await this.exportPrompt(fromConversationId);
    return exported === null ? null : this.importPrompt(to, exported);
  }

  async forget(conversationId: string): Promise<void> {
    await this.#storage.delete(promptKey(conversationId));
  }

  async preview(
    { template, system = [], systemMode: mode = "replace" }: PreviewSystemPromptRequest,
    { signal }: { readonly signal?: AbortSignal },
  ): Promise<PreviewSystemPromptResponse> {
    signal?.throwIfAborted();
    const shown: SystemPromptTemplateResponse =
      template === undefined ? await this.getTemplate() : { template: template.toWellFormed(), source: "stored" };
    const tier = { system: typeof system === "string" ? [system] : system, mode };
    const systemTexts = placeTexts(tier, shown.template);
    const systemPrompt = systemTexts.join("\n\n");
    return { systemPrompt, systemTexts, explain: await explainPlain({ ...shown, template: systemPrompt }) };
  }

  async resolveCall(
    _cwd: string,
    tier: RequestTier = { system: [], mode: "append" },
  ): Promise<{ readonly systemTexts: readonly string[]; readonly explain: Explain }> {
    const current = await this.getTemplate();
    const systemTexts = placeTexts(tier, current.template);
    return { systemTexts, explain: await explainPlain({ ...current, template: systemTexts.join("\n\n") }) };
  }

  async applyRequestTier(conversationId: string, _cwd: string, tier: RequestTier): Promise<readonly string[]> {
    return placeTexts(tier, (await this.get(conversationId)) ?? (await this.getTemplate()).template);
  }

  async getTemplate(): Promise<SystemPromptTemplateResponse> {
    const stored = await this.#storage.get(templateKey, templateSchema);
    return stored === undefined
      ? { template: defaultText, source: "default" }
      : { template: stored, source: "stored" };
  }

  async setTemplate(template: string): Promise<void> {
    const sizeBytes = new TextEncoder().encode(template).length;
    if (sizeBytes > maxTemplateBytes) {
      const message = `Cannot store the text: it has ${sizeBytes} bytes of at most ${maxTemplateBytes}; shorten it`;
      throw new ServiceError("TEMPLATE_TOO_LARGE", message, { details: { sizeBytes, maxTemplateBytes } });
    }
    await this.#storage.set(templateKey, template.toWellFormed());
  }

  async deleteTemplate(): Promise<void> {
    await this.#storage.delete(templateKey);
  }

  async getVariables(): Promise<readonly SystemPromptVariable[]> {
    return [];
  }

  async #construct(conversationId: string, cwd: string, context: PromptContext): Promise<string> {
    const { text, batch } = await this.prepare(conversationId, cwd, context);
    await this.#storage.atomic([], [], { join: [batch] });
    return text;
  }

  #kept(conversationId: string): Promise<KeptPrompt | undefined> {
    return this.#storage.get(promptKey(conversationId), keptPromptSchema);
  }
}

function promptKey(conversationId: string): string {
  return `resolved:${conversationId}`;
}

/** Returns the call's texts that replace the prompt, or those to append that it does not contain yet. */
function placeTexts({ system, mode }: RequestTier, prompt: string): string[] {
  const texts = system.filter((text) => text.trim() !== "").map((text) => text.toWellFormed());
  if (mode === "replace" && system.length > 0) return texts;
  const lines = new Set(prompt.split("\n"));
  return [prompt, ...texts.filter((text) => text !== prompt && !lines.has(text))].filter((text) => text !== "");
}
