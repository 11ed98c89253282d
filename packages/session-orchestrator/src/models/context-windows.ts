import { KernelError, type Clock, type Log } from "@incipit/kernel";
import type { Usage } from "@incipit/schema";
import type { ModelProvider } from "@incipit/service-contract";
import type { FoundModel } from "./find-model.ts";
import { settle } from "../waits/settle.ts";

const askTimeoutMs = 5_000;

export class ContextWindows {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #unknown = new Set<string>();
  /** Keyed by provider object, so that a new generation is queried again. */
  readonly #known = new WeakMap<ModelProvider, Map<string, number>>();

  /** Learned from rejected requests, by PROVIDER/MODEL, until the host stops. */
  readonly #learned = new Map<string, number>();

  constructor({ log, clock }: { readonly log: Log; readonly clock: Clock }) {
    this.#log = log;
    this.#clock = clock;
  }

  /** In tokens; `undefined` if unknown, which is logged once per model. Never rejects: calls work without it. */
  async of(found: FoundModel, { signal }: { readonly signal: AbortSignal }): Promise<number | undefined> {
    const learned = this.#learned.get(nameOf(found));
    const known = await this.#ofProvider(found, { signal, isLearned: learned !== undefined });
    // A server may run a model with a smaller window, never with a larger one.
    return learned === undefined ? known : Math.min(learned, known ?? learned);
  }

  learn(found: FoundModel, message: string): void {
    const window = parseContextWindow(message);
    if (window !== undefined) this.#learned.set(nameOf(found), window);
  }

  /** A successful call exceeded the learned window: the error meant another limit, or another server has the name. */
  correct(found: FoundModel, usage: Usage | null): void {
    const learned = this.#learned.get(nameOf(found));
    if (learned !== undefined && (usage?.inputTokens ?? 0) > learned) this.#learned.delete(nameOf(found));
  }

  async #ofProvider(
    found: FoundModel,
    { signal, isLearned }: { readonly signal: AbortSignal; readonly isLearned: boolean },
  ): Promise<number | undefined> {
    const { provider, name } = found;
    const model = nameOf(found);
    const known = this.#known.get(provider)?.get(name);
    if (known !== undefined) return known;
    const ask = async (): Promise<number | undefined> => provider.contextWindow?.(name);
    try {
      const asked = await settle(ask(), { timeoutMs: askTimeoutMs, clock: this.#clock, signal });
      const window = asked.kind === "value" ? asked.value : undefined;
      if (window !== undefined) this.#remember(provider, name, window);
      else if (!signal.aborted && !isLearned) this.#sayOnce(model);
      return window;
    } catch (error) {
      // The provider is being swapped; retried before the next step.
      if (!KernelError.is(error)) this.#sayOnce(model);
      return undefined;
    }
  }

  #remember(provider: ModelProvider, name: string, window: number): void {
    const known = this.#known.get(provider) ?? new Map<string, number>();
    this.#known.set(provider, known.set(name, window));
  }

  #sayOnce(model: string): void {
    if (this.#unknown.has(model)) return;
    this.#unknown.add(model);
    const slash = model.indexOf("/");
    const key = `providers.${model.slice(0, slash)}.models."${model.slice(slash + 1)}".context_window`;
    this.#log.info(
      `The context window of "${model}" is not known (no catalogue lists it): the model is used anyway, and its conversations are not compacted automatically; set ${key}`,
    );
  }
}

function nameOf({ provider, name }: FoundModel): string {
  return `${provider.id}/${name}`;
}

/** In vendors' error messages; the samples are `overflowQuirks` in the test kit. */
const patterns = [
  /\bmaximum context (?:length|window|size)(?: of this model)? (?:is|of)\D{0,20}?([\d,]+)/i,
  /\bcontext (?:length|window|size|limit)(?: is)?(?: of)?(?: only)?[ (:]*([\d,]+) ?tokens\b/i,
  /\b(?:exceeds?|exceeded|longer than) (?:the )?(?:available |model's |maximum )*(?:context|model) (?:size|length|window|limit)(?: of)?[ (:]*([\d,]+)/i,
  /> ([\d,]+) maximum\b/i,
  /\bexceeds the maximum number of tokens allowed[ (:]*([\d,]+)/i,
  /\bmaximum prompt length is ([\d,]+)/i,
  /\bexceeds the limit of ([\d,]+)/i,
  /\bmodel token limit:? ([\d,]+)/i,
  /\brange of input length should be \[\d+, ?([\d,]+)\]/i,
  /\bmodel with ([\d,]+) maximum context\b/i,
  /\bn_ctx["']?(?:_slot)?\s*[:=]\s*([\d,]+)/i,
];
const minTokens = 1_000;
const maxTokens = 20_000_000;

export function parseContextWindow(message: string): number | undefined {
  for (const pattern of patterns) {
    const tokens = Number(pattern.exec(message)?.[1]?.replaceAll(",", ""));
    if (tokens >= minTokens && tokens <= maxTokens) return tokens;
  }
  return undefined;
}
