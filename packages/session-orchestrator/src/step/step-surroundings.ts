import { errorMessage } from "@incipit/kernel";
import type { ModelPrices, StepPrefix } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { FoundModel } from "../models/find-model.ts";
import { settle } from "../waits/next-event.ts";
import { promptChanges, type ChangedPrompt } from "../audit/prompt-changes.ts";

/** Longest wait, once a step is over, for what is told of it: it is in memory, as a rule. */
const askTimeoutMs = 250;

type Changes = Pick<StepPrefix, "changes" | "promptReason">;

const noChanges: Changes = { changes: [], promptReason: null };

/** What belongs to the record of a step and stands in no way of its request: it is asked for beside it. */
export class StepSurroundings {
  readonly #context: OrchestratorContext;
  readonly #asked: Promise<ModelPrices | null>;
  /** `undefined`: they are still asked for. */
  #prices: ModelPrices | null | undefined;
  #changes: Promise<Changes> | undefined;

  constructor(context: OrchestratorContext, { provider, name }: FoundModel) {
    this.#context = context;
    this.#asked = this.#orElse(null, async () => {
      this.#prices = (await provider.facts?.(name))?.prices ?? null;
      return this.#prices;
    });
  }

  /** Asks the prompt builder what changed in the prompt. */
  lookForChanges(changed: ChangedPrompt): void {
    const service = this.#context.systemPrompt.current;
    if (service !== undefined) this.#changes ??= this.#orElse(noChanges, () => promptChanges(service, changed));
  }

  /** What is not known in time is not known. Never rejects. */
  async found(): Promise<Changes & { readonly prices: ModelPrices | null }> {
    const [prices, changes] = await Promise.all([
      this.#prices === undefined ? this.#inTime(this.#asked, null) : this.#prices,
      this.#changes === undefined ? noChanges : this.#inTime(this.#changes, noChanges),
    ]);
    return { ...changes, prices };
  }

  async #inTime<Value>(value: Promise<Value>, fallback: Value): Promise<Value> {
    const { clock } = this.#context;
    const signal = new AbortController().signal;
    const settled = await settle(value, { timeoutMs: askTimeoutMs, clock, signal });
    return settled.kind === "value" ? settled.value : fallback;
  }

  /** A call is recorded without it. */
  async #orElse<Value>(fallback: Value, ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      const message = errorMessage(error);
      this.#context.log.warn("Something about a model call could not be told", { error: message });
      return fallback;
    }
  }
}
