import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { PackageFetch } from "./package-fetch.ts";
import type { Vendor } from "./vendor.ts";

/** A model of a package, and what its requests go over: that of the call which has it. */
interface KeptModel {
  readonly model: LanguageModelV4;
  fetch: PackageFetch;
}

export interface UsedModel {
  /** The name behind the slash. */
  readonly name: string;
  readonly baseUrl: string;
  readonly fetch: PackageFetch;
}

const maxIdle = 16;

/** No package has a key: the call writes its own in the place of this. */
const noKey = "none";

const noFetch: PackageFetch = async () => {
  throw new TypeError("A model that no call uses has nothing to send");
};

/**
 * Models of one endpoint, kept from one call to the next: a package builds its schemas anew for each that is made, and
 * the first reply compiles them, which takes longer than the rest of a call. They hold no key.
 */
export class KeptModels {
  readonly #options: { readonly provider: string; readonly vendor: Vendor };
  /** The least recently used first. */
  readonly #idle: { readonly name: string; readonly kept: KeptModel }[] = [];

  constructor(options: { readonly provider: string; readonly vendor: Vendor }) {
    this.#options = options;
  }

  /** Lets `work` have a model that nobody else uses, whose requests go over `fetch`. */
  async use<Result>(used: UsedModel, work: (model: LanguageModelV4) => PromiseLike<Result>): Promise<Result> {
    const { name, fetch } = used;
    const index = this.#idle.findIndex((idle) => idle.name === name);
    const [idle] = index === -1 ? [] : this.#idle.splice(index, 1);
    const kept = idle?.kept ?? (await this.#make(used));
    kept.fetch = fetch;
    try {
      return await work(kept.model);
    } finally {
      kept.fetch = noFetch; // That of the call has its key and what it sent.
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
