import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createModel } from "./create-model.ts";
import type { Endpoint } from "./settings.ts";
import type { WireCall } from "./wire-call.ts";

/** A model of a package, and what its requests go over: that of the call which has it. */
interface KeptModel {
  readonly model: LanguageModelV4;
  fetch: WireCall["fetch"];
}

const maxIdle = 16;

/**
 * Models of one endpoint, kept from one call to the next: a package builds its schemas anew for each that is made, and
 * the first reply compiles them, which takes longer than the rest of a call. They hold no key.
 */
export class KeptModels {
  readonly #options: { readonly provider: string; readonly endpoint: Endpoint };
  /** The least recently used first. */
  readonly #idle: { readonly name: string; readonly kept: KeptModel }[] = [];

  constructor(options: { readonly provider: string; readonly endpoint: Endpoint }) {
    this.#options = options;
  }

  /** Lets `work` have a model that nobody else uses, whose requests go over `fetch`. */
  async use<Result>(
    name: string,
    fetch: WireCall["fetch"],
    work: (model: LanguageModelV4) => PromiseLike<Result>,
  ): Promise<Result> {
    const index = this.#idle.findIndex((idle) => idle.name === name);
    const [idle] = index === -1 ? [] : this.#idle.splice(index, 1);
    const kept = idle?.kept ?? (await this.#make(name, fetch));
    kept.fetch = fetch;
    try {
      return await work(kept.model);
    } finally {
      this.#idle.push({ name, kept });
      if (this.#idle.length > maxIdle) this.#idle.shift();
    }
  }

  async #make(name: string, fetch: WireCall["fetch"]): Promise<KeptModel> {
    const line = { fetch };
    const model = await createModel(name, { ...this.#options, fetch: (input, init) => line.fetch(input, init) });
    return Object.assign(line, { model });
  }
}
