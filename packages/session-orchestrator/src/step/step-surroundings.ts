import { errorMessage } from "@incipit/kernel";
import type { ModelPrices, StepPrefix } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { FoundModel } from "../models/find-model.ts";
import { fetchPrices } from "../models/fetch-prices.ts";
import { inTime } from "../waits/in-time.ts";
import { promptChanges, type ChangedPrompt } from "../audit/prompt-changes.ts";

type Changes = Pick<StepPrefix, "changes" | "promptReason">;

const noChanges: Changes = { changes: [], promptReason: null };

export class StepSurroundings {
  readonly #context: OrchestratorContext;
  readonly #asked: Promise<ModelPrices | null>;
  #prices: ModelPrices | null | undefined;
  #changes: Promise<Changes> | undefined;

  constructor(context: OrchestratorContext, found: FoundModel) {
    this.#context = context;
    this.#asked = fetchPrices(context, found).then((prices) => (this.#prices = prices));
  }

  lookForChanges(changed: ChangedPrompt): void {
    const service = this.#context.systemPrompt.current;
    if (service !== undefined) this.#changes ??= this.#orNone(() => promptChanges(service, changed));
  }

  /** Late facts are `null`. Never rejects. */
  async found(): Promise<Changes & { readonly prices: ModelPrices | null }> {
    const [prices, changes] = await Promise.all([
      this.#prices === undefined ? inTime(this.#context, this.#asked, null) : this.#prices,
      this.#changes === undefined ? noChanges : inTime(this.#context, this.#changes, noChanges),
    ]);
    return { ...changes, prices };
  }

  /** Returns no changes on a failure, which is logged: the step is recorded without them. */
  async #orNone(ask: () => Promise<Changes>): Promise<Changes> {
    try {
      return await ask();
    } catch (error) {
      this.#context.log.warn("What changed in a prompt could not be told", { error: errorMessage(error) });
      return noChanges;
    }
  }
}
