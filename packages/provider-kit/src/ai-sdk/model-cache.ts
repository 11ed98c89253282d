import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { PackageFetch } from "./package-fetch.ts";
import type { Vendor } from "./vendor.ts";

interface KeptModel {
  readonly model: LanguageModelV4;
  fetch: PackageFetch;
}

export interface UsedModel {
  readonly name: string;
  readonly baseUrl: string;
  readonly fetch: PackageFetch;
}

const maxIdle = 16;

/** Packages require a key; the call sets the actual one. */
const noKey = "none";

const noFetch: PackageFetch = async () => {
  throw new TypeError("A model that no call uses has nothing to send");
};

/**
 * A package rebuilds its schemas per model, and the first reply compiles them, which takes longer than the rest of a
 * call. Cached models contain no key.
 */
export class ModelCache {
  readonly #options: { readonly provider: string; readonly vendor: Vendor };
  /** Least recently used first. */
  readonly #idle: { readonly name: string; readonly kept: KeptModel }[] = [];

  constructor(options: { readonly provider: string; readonly vendor: Vendor }) {
    this.#options = options;
  }

  /** Uses the model exclusively. */
  async use<Result>(used: UsedModel, work: (model: LanguageModelV4) => PromiseLike<Result>): Promise<Result> {
    const { name, fetch } = used;
    const index = this.#idle.findIndex((idle) => idle.name === name);
    const [idle] = index === -1 ? [] : this.#idle.splice(index, 1);
    const kept = idle?.kept ?? (await this.#make(used));
    kept.fetch = fetch;
    try {
      return await work(kept.model);
    } finally {
      kept.fetch = noFetch; // Releases the call's key and data.
      this.#idle.push({ name, kept });
      if (this.#idle.length > maxIdle) this.#idle.shift();
    }
  }

  async #make({ name, baseUrl, fetch }: UsedModel): Promise<KeptModel> {
    const line = { fetch };
    const { provider, vendor } = this.#options;
    const model = await vendor.createModel(name, {
      provider,
      baseUrl,
      apiKey: noKey,
      fetch: Object.assign<PackageFetch, { preconnect: () => void }>((input, init) => line.fetch(input, init), {
        preconnect: () => {},
      }),
    });
    return Object.assign(line, { model });
  }
}
