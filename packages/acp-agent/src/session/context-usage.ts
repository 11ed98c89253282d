import type { UsageUpdate } from "@agentclientprotocol/sdk/unstable";
import { callCostUsd, type Conversation, type ModelFacts, type Usage } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";

/**
 * How full the window of the model is after each step, and what the conversation has cost, as long as all of that is known:
 * from its first step on, of models with a price.
 */
export class ContextUsage {
  readonly #link: HostLink;
  /** The facts of the model that was asked last; `null`: nothing is known of it. */
  #facts: { readonly model: string; readonly known: ModelFacts | null } | undefined;
  #usd: number | null;

  constructor(link: HostLink, { lastSeq }: Pick<Conversation, "lastSeq">) {
    this.#link = link;
    this.#usd = lastSeq === 0 ? 0 : null;
  }

  /** A compaction asks a model, and no event says what that took. */
  forgetCost(): void {
    this.#usd = null;
  }

  /** `undefined`: the vendor did not count, or nobody knows how large the window is. @throws {ApiClientError} */
  async after(model: string, usage: Usage): Promise<UsageUpdate | undefined> {
    const facts = await this.#factsOf(model);
    const stepUsd = callCostUsd(facts?.prices, usage);
    this.#usd = this.#usd === null || stepUsd === null ? null : this.#usd + stepUsd;
    const { inputTokens, outputTokens } = usage;
    const size = facts?.contextWindow ?? null;
    if (inputTokens === null || size === null) return undefined;
    const cost = this.#usd === null ? {} : { cost: { amount: this.#usd, currency: "USD" } };
    return { used: inputTokens + (outputTokens ?? 0), size, ...cost };
  }

  async #factsOf(model: string): Promise<ModelFacts | null> {
    if (this.#facts?.model !== model) {
      const { models } = await this.#link.call((client) => client.call(routes.listModels));
      this.#facts = { model, known: models.find(({ id }) => id === model)?.facts ?? null };
    }
    return this.#facts.known;
  }
}
